#include "schedule/patterns/halves.hpp"

#include "schedule/patterns/trees.hpp"
#include "schedule/patterns/vectors.hpp"

namespace postage {
namespace {

/// One level of both halves' trees, which have different sizes where the number of ranks is odd.
Round spread_level(Index ranks, Index half, Index distance, const Numbering& numbering) {
  Round round;
  const auto add = [&](Index base, Index size, Index block) {
    const Index count = terms_below(size, distance, 2 * distance);
    if (count > 0) {
      const AffinePairs pairs{.count = count,
                              .source_first = base,
                              .source_stride = 2 * distance,
                              .target_first = base + distance,
                              .target_stride = 2 * distance};
      round.patterns.push_back({pairs, numbering, fixed_blocks(1, block)});
    }
  };
  add(0, half, 0);
  add(half, ranks - half, 1);
  return round;
}

Round swap_halves(Index ranks, Index half, const Numbering& numbering) {
  Round round;
  const auto add = [&](const AffinePairs& pairs, Index block) {
    if (pairs.count > 0) {
      round.patterns.push_back({pairs, numbering, fixed_blocks(1, block)});
    }
  };
  const Index partners = ranks - half;
  add({.count = partners, .source_stride = 1, .target_first = half, .target_stride = 1}, 0);
  add({.count = partners - 1, .source_first = half + 1, .source_stride = 1, .target_first = 1, .target_stride = 1}, 1);
  const bool one_is_left = half > partners && half > 1;
  add({.count = one_is_left ? 1 : 0, .target_first = half - 1}, 1);
  return round;
}

}  // namespace

std::vector<Round> halves_bcast(Index ranks, const Numbering& numbering) {
  if (ranks == 1) {
    return {};
  }
  const Index half = (ranks + 1) / 2;
  std::vector<Round> rounds{{{{AffinePairs{.count = 1, .target_first = half}, numbering, fixed_blocks(1, 1)}}}};
  for (const TreeLevel& level : binomial_tree(half)) {
    rounds.push_back(spread_level(ranks, half, level.front().target_first, numbering));
  }
  rounds.push_back(swap_halves(ranks, half, numbering));
  return rounds;
}

}  // namespace postage
