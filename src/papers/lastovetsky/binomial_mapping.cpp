#include "papers/lastovetsky/binomial_mapping.hpp"

#include <algorithm>

namespace postage::lastovetsky_paper {
namespace {

/// us, and us/B; below the diagonal, and where there is one node of a type, nothing is printed.
constexpr double kAlpha[7][7] = {{248, 244, 121, 493, 126, 156, 121},
                                 {0, 243, 117, 493, 118, 118, 118},
                                 {0, 0, 812, 498, 888, 961, 665},
                                 {0, 0, 0, 0, 496, 496, 497},
                                 {0, 0, 0, 0, 0, 125, 993},
                                 {0, 0, 0, 0, 0, 0, 107},
                                 {0, 0, 0, 0, 0, 0, 728}};
constexpr double kBeta[7][7] = {{.0224, .0232, .0211, .0360, .0220, .0218, .0207},
                                {0, .0211, .0196, .0331, .0198, .0209, .0196},
                                {0, 0, .0190, .0306, .0192, .0196, .0188},
                                {0, 0, 0, 0, .0305, .0302, .0300},
                                {0, 0, 0, 0, 0, .0201, .0194},
                                {0, 0, 0, 0, 0, 0, .0199},
                                {0, 0, 0, 0, 0, 0, .0190}};
constexpr double kMicro = 1e-6;

Seconds message_time(const Hockney& model, std::int32_t from, std::int32_t to, Bytes bytes) {
  return model.cost({.source = from, .target = to, .bytes = bytes}).total();
}

}  // namespace

HockneyLink printed_link(int a, int b) {
  const auto [low, high] =
      std::minmax(kNodeTypes[static_cast<std::size_t>(a)], kNodeTypes[static_cast<std::size_t>(b)]);
  return {kAlpha[low - 1][high - 1] * kMicro, kBeta[low - 1][high - 1] * kMicro};
}

Hockney printed_hockney() {
  Hockney model;
  for (int a = 0; a < 16; ++a) {
    for (int b = a + 1; b < 16; ++b) {
      model.links.set_pair(a, b, {{0, printed_link(a, b)}});
    }
  }
  return model;
}

std::vector<std::int32_t> binomial_places(const Hockney& model, std::size_t ranks, Bytes block, Choice choice) {
  std::vector<std::int32_t> places(ranks, 0);
  std::vector<std::int32_t> left;
  for (std::size_t rank = 1; rank < ranks; ++rank) {
    left.push_back(static_cast<std::int32_t>(rank));
  }
  for (std::size_t size = ranks / 2; size > 0; size /= 2) {
    for (std::size_t parent = 0; parent < ranks; parent += 2 * size) {
      const auto is_before = [&](std::int32_t a, std::int32_t b) {
        const Bytes bytes = static_cast<Bytes>(size) * block;
        const Seconds to_a = message_time(model, places[parent], a, bytes);
        const Seconds to_b = message_time(model, places[parent], b, bytes);
        return choice == Choice::kFastest ? to_a < to_b : to_b < to_a;
      };
      const auto best = std::min_element(left.begin(), left.end(), is_before);
      places[parent + size] = *best;
      left.erase(best);
    }
  }
  return places;
}

}  // namespace postage::lastovetsky_paper
