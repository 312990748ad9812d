#include "blade/hardware/rings.hpp"

#include <array>

namespace postage::blade {

int position_of_spe(int spe) {
  constexpr std::array<int, 8> kPositions{10, 1, 9, 2, 8, 3, 7, 4};
  return kPositions.at(static_cast<std::size_t>(spe));
}

RingPath ring_path(int from, int to) {
  const int clockwise = (to - from + kElements) % kElements;
  RingPath path{.clockwise = 2 * clockwise <= kElements, .segments = {}};
  const int hops = path.clockwise ? clockwise : kElements - clockwise;
  for (int hop = 0; hop < hops; ++hop) {
    const int at = path.clockwise ? from + hop : from - 1 - hop;
    path.segments.push_back(static_cast<std::size_t>((at + kElements) % kElements));
  }
  return path;
}

}  // namespace postage::blade
