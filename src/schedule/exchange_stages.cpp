#include "schedule/exchange_stages.hpp"

#include <algorithm>

namespace postage {
namespace {

/// Every `stride`-th rank.
Numbering leaders_of(Index ranks, Index stride) {
  return LinearNumbering{0, stride, ranks};
}

/// Between the roots of sub-trees of `distance` ranks and those `distance` below them: d -> 0, 3d -> 2d, ...
AffinePairs upwards(Index ranks, Index distance) {
  return {.count = (ranks - distance + 2 * distance - 1) / (2 * distance),
          .source_first = distance,
          .source_stride = 2 * distance,
          .target_stride = 2 * distance};
}

AffinePairs downwards(Index ranks, Index distance) {
  const AffinePairs up = upwards(ranks, distance);
  return {.count = up.count,
          .source_stride = up.source_stride,
          .target_first = up.source_first,
          .target_stride = up.source_stride};
}

/// The blocks of the sub-tree that the lower end of an edge is the root of.
BlockSpan subtree(Index ranks, Index root, Index distance) {
  return {.count = distance, .limit = ranks, .rotation = root, .modulus = ranks};
}

}  // namespace

BlockLayout contribution_layout(const ScheduleRequest& request) {
  return request.block_bytes.empty() ? BlockLayout::uniform(request.ranks, request.bytes, request.element_bytes)
                                     : BlockLayout::explicit_sizes(request.block_bytes, request.element_bytes);
}

BlockLayout pair_layout(const ScheduleRequest& request) {
  const Index pairs = Index{request.ranks} * request.ranks;
  return request.block_bytes.empty() ? BlockLayout::uniform(pairs, request.bytes, request.element_bytes)
                                     : BlockLayout::explicit_sizes(request.block_bytes, request.element_bytes);
}

Numbering from_root_on(const ScheduleRequest& request) {
  return LinearNumbering{request.root, 1, request.ranks};
}

Round round_of(std::vector<Pattern> patterns) {
  return {std::move(patterns)};
}

Index power_of_two_below(Index value) {
  Index power = 1;
  while (power * 2 <= value) {
    power *= 2;
  }
  return power;
}

Stage binomial_gather_stage(Index ranks, Index root, Index group) {
  Stage stage{.name = "gather up the tree"};
  for (Index distance = 1; distance < std::min(ranks, group); distance *= 2) {
    BlockSpan blocks = subtree(ranks, root, distance);
    blocks.by_source = 1;
    stage.rounds.push_back(round_of({{upwards(ranks, distance), LinearNumbering{root, 1, ranks}, blocks}}));
  }
  return stage;
}

Stage binomial_scatter_stage(Index ranks, Index root) {
  Stage stage{.name = "scatter down the tree"};
  for (Index distance = power_of_two_below(ranks - 1); distance >= 1; distance /= 2) {
    BlockSpan blocks = subtree(ranks, root, distance);
    blocks.by_target = 1;
    stage.rounds.push_back(round_of({{downwards(ranks, distance), LinearNumbering{root, 1, ranks}, blocks}}));
  }
  return stage;
}

Stage binomial_reduce_stage(Index ranks) {
  Stage stage{.name = "reduce up the tree"};
  for (Index distance = 1; distance < ranks; distance *= 2) {
    stage.rounds.push_back(round_of(
        {{upwards(ranks, distance), LinearNumbering{0, 1, ranks}, BlockSpan{.count = ranks}, Combine::kReduceRight}}));
  }
  return stage;
}

Stage binomial_spread_stage(Index ranks, Index group) {
  Stage stage{.name = "spread down the tree"};
  for (Index distance = power_of_two_below(std::min(ranks, group) - 1); distance >= 1; distance /= 2) {
    stage.rounds.push_back(
        round_of({{downwards(ranks, distance), LinearNumbering{0, 1, ranks}, BlockSpan{.count = ranks}}}));
  }
  return stage;
}

std::vector<Stage> doubling_stages(Index ranks, Index group) {
  const Index leaders = (ranks + group - 1) / group;
  const Index kept = power_of_two_below(leaders);
  const Index folded = leaders - kept;
  const Numbering numbering = leaders_of(ranks, group);
  std::vector<Stage> stages;
  if (folded > 0) {
    const AffinePairs to_next{.count = folded, .source_stride = 2, .target_first = 1, .target_stride = 2};
    const BlockSpan own{.by_source = group, .count = group};
    stages.push_back({.name = "fold", .rounds = {round_of({{to_next, numbering, own}})}});
  }
  Stage doubling{.name = "double"};
  for (Index distance = 1; distance < kept; distance *= 2) {
    const BlockSpan known{.by_source = group,
                          .align = group * distance,
                          .count = group * distance,
                          .limit = leaders * group > ranks ? ranks - folded * group : 0,
                          .doubled = folded * group};
    doubling.rounds.push_back(round_of({{XorPairs{kept, distance}, FoldedNumbering{folded, true, group}, known}}));
  }
  stages.push_back(std::move(doubling));
  if (folded > 0) {
    const AffinePairs to_former{.count = folded, .source_first = 1, .source_stride = 2, .target_stride = 2};
    const BlockSpan lacking{.constant = group, .by_target = group, .count = ranks - group, .modulus = ranks};
    stages.push_back({.name = "unfold", .rounds = {round_of({{to_former, numbering, lacking}})}});
  }
  return stages;
}

}  // namespace postage
