#pragma once

#include <cstddef>
#include <vector>

namespace postage::blade {

/// The elements of a chip in the order in which its rings join them:
///
///   PPE - SPE1 - SPE3 - SPE5 - SPE7 - IOIF1 - BIF - SPE6 - SPE4 - SPE2 - SPE0 - MIC - PPE
///
/// so that SPE6 and SPE4 are neighbours and SPE1 and SPE6 six hops apart, as Ali et al. say in section 2.
inline constexpr int kElements = 12;
inline constexpr int kPpePosition = 0;
inline constexpr int kBifPosition = 6;

/// Position of SPE 0 to 7.
[[nodiscard]] int position_of_spe(int spe);

/// The way of a transfer between two elements: the shorter one, never more than half around.
struct RingPath {
  bool clockwise = true;
  /// Segment i joins positions i and i + 1.
  std::vector<std::size_t> segments;
};

[[nodiscard]] RingPath ring_path(int from, int to);

}  // namespace postage::blade
