#include "schedule/patterns/reductions.hpp"

#include "schedule/patterns/trees.hpp"
#include "schedule/patterns/vectors.hpp"

#include <algorithm>
#include <bit>

namespace postage {
namespace {

Index power_of_two_up_to(Index value) {
  return static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(value)));
}

}  // namespace

Stage linear_reduction(Index ranks, Index root, const BlockSelector& blocks) {
  const Index higher = ranks - 1 - root;
  Stage stage{.name = "all to the root", .iterations = ranks - 1, .rounds = {Round{}}};
  if (higher > 0) {
    const AffinePairs upwards{.count = 1, .source_first = root + 1, .target_first = root, .source_step = 1};
    stage.rounds[0].patterns.push_back(
        {upwards, as_ranks(ranks), blocks, Combine::kReduceRight, Protocol::kDefault, {0, higher}});
  }
  if (root > 0) {
    const AffinePairs downwards{.count = 1, .source_first = root - 1 + higher, .target_first = root, .source_step = -1};
    stage.rounds[0].patterns.push_back(
        {downwards, as_ranks(ranks), blocks, Combine::kReduceLeft, Protocol::kDefault, {higher, ranks - 1}});
  }
  return stage;
}

Index in_order_root(Index ranks) {
  return power_of_two_up_to(ranks) - 1;
}

std::vector<Round> in_order_reduction(Index ranks, const BlockSelector& blocks) {
  std::vector<Round> rounds;
  for (Index width = 1; 2 * width <= ranks; width *= 2) {
    // Parents of this height, counted from 1: 2*width, 6*width, 10*width, ...
    const Index stride = 4 * width;
    const AffinePairs from_left{.count = terms_below(ranks, 2 * width - 1, stride),
                                .source_first = width - 1,
                                .source_stride = stride,
                                .target_first = 2 * width - 1,
                                .target_stride = stride};
    AffinePairs from_right = from_left;
    from_right.count = terms_below(ranks, 3 * width - 1, stride);
    from_right.source_first = 3 * width - 1;
    rounds.push_back(
        {{{.pairs = from_left, .numbering = as_ranks(ranks), .blocks = blocks, .combine = Combine::kReduceLeft}}});
    Round right;
    if (from_right.count > 0) {
      right.patterns.push_back(
          {.pairs = from_right, .numbering = as_ranks(ranks), .blocks = blocks, .combine = Combine::kReduceRight});
    }
    // The last parent's right sub-tree may be cut short: its root is lower than the others'.
    const Index last = 2 * width + (from_left.count - 1) * stride;
    if (from_right.count < from_left.count && last < ranks) {
      Pattern cut = single_message(last + power_of_two_up_to(ranks - last) - 1, last - 1, blocks, ranks);
      cut.combine = Combine::kReduceRight;
      right.patterns.push_back(cut);
    }
    if (!right.patterns.empty()) {
      rounds.push_back(std::move(right));
    }
  }
  return rounds;
}

void hand_over(Stage& stage, Index holder, Index root, Index ranks, const BlockSelector& blocks) {
  Pattern message = single_message(holder, root, blocks, ranks);
  if (stage.iterations == 1) {
    stage.rounds.push_back({{std::move(message)}});
    return;
  }
  for (Round& round : stage.rounds) {
    for (Pattern& pattern : round.patterns) {
      pattern.active.end = std::min(pattern.active.end, stage.iterations);
    }
  }
  message.active = {stage.iterations, stage.iterations + 1};
  stage.rounds.back().patterns.push_back(std::move(message));
  ++stage.iterations;
}

}  // namespace postage
