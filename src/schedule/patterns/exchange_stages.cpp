#include "schedule/patterns/exchange_stages.hpp"

#include "schedule/patterns/butterflies.hpp"
#include "schedule/patterns/trees.hpp"
#include "schedule/patterns/vectors.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace postage {
namespace {

/// The blocks of the sub-tree that the lower end of an edge is the root of.
BlockSpan subtree(Index ranks, Index root, Index distance) {
  return {.count = distance, .limit = ranks, .rotation = root, .modulus = ranks};
}

Numbering from(Index root, Index ranks) {
  return LinearNumbering{.offset = root, .ranks = ranks};
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

Round round_of(std::vector<Pattern> patterns) {
  return {std::move(patterns)};
}

Stage binomial_gather_stage(Index ranks, Index root, Index group) {
  Stage stage{.name = "gather up the tree"};
  Tree tree = binomial_tree(ranks, group);
  std::reverse(tree.begin(), tree.end());
  for (const TreeLevel& level : tree) {
    AffinePairs pairs = level.front();
    std::swap(pairs.source_first, pairs.target_first);
    std::swap(pairs.source_stride, pairs.target_stride);
    BlockSpan blocks = subtree(ranks, root, pairs.source_first);
    blocks.by_source = 1;
    stage.rounds.push_back(round_of({{pairs, from(root, ranks), blocks}}));
  }
  return stage;
}

Stage binomial_scatter_stage(Index ranks, Index root) {
  Stage stage{.name = "scatter down the tree"};
  for (const TreeLevel& level : binomial_tree(ranks)) {
    BlockSpan blocks = subtree(ranks, root, level.front().target_first);
    blocks.by_target = 1;
    stage.rounds.push_back(round_of({{level.front(), from(root, ranks), blocks}}));
  }
  return stage;
}

Stage rising_scatter_stage(Index ranks, Index root) {
  Stage stage{.name = "scatter down the tree"};
  const auto whole = static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(ranks)));
  // Parents by the size of their own sub-trees, the largest first: each has its blocks by then.
  for (Index size = whole; size > 1; size /= 2) {
    const Index first_parent = size == whole ? 0 : size;
    for (Index distance = 1; distance < size && first_parent + distance < ranks; distance *= 2) {
      const AffinePairs children{.count = terms_below(ranks, first_parent + distance, 2 * size),
                                 .source_first = first_parent,
                                 .source_stride = 2 * size,
                                 .target_first = first_parent + distance,
                                 .target_stride = 2 * size};
      BlockSpan blocks = subtree(ranks, root, distance);
      blocks.by_target = 1;
      stage.rounds.push_back(round_of({{children, from(root, ranks), blocks}}));
    }
  }
  return stage;
}

std::vector<Stage> doubling_stages(Index ranks, Index group) {
  const Index leaders = terms_below(ranks, 0, group);
  const auto [kept, folded] = core_of(leaders);
  const Numbering numbering = postage::leaders(group, ranks);
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
