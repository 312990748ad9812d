#include "predict/timeline/tree_edges.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace postage {
namespace {

/// Telling the forms of sub-trees takes the square of the patterns.
constexpr std::size_t kMostPatterns = 256;

/// The first virtual rank at an end of a message whose blocks are cut short; nothing where the blocks do not shift with
/// the ranks.
std::optional<Index> cut_from(const Pattern& pattern, const BlockLayout& layout) {
  constexpr Index kNowhere = std::numeric_limits<Index>::max();
  if (std::holds_alternative<Token>(pattern.blocks)) {
    return kNowhere;
  }
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  if (span == nullptr || !layout.is_uniform() || span->modulus != 0 || span->doubled != 0 || span->stride != 1) {
    return std::nullopt;
  }
  return span->limit == 0 ? kNowhere : span->limit - span->count + 1;
}

/// Patterns that go the same way in all messages, with one distance between the ends of each.
bool is_edges(const Pattern& pattern, Rank ranks) {
  const auto* pairs = std::get_if<AffinePairs>(&pattern.pairs);
  const auto* linear = std::get_if<LinearNumbering>(&pattern.numbering);
  return pairs != nullptr && linear != nullptr && linear->stride == 1 && linear->base == 0 && linear->ranks == ranks &&
         pattern.active == IterationWindow{} && pairs->modulus == 0 && pairs->count > 0 &&
         (pairs->count == 1 || (pairs->source_stride == pairs->target_stride && pairs->source_stride > 0));
}

TreeEdges edges_of(const Pattern& pattern, std::size_t round, bool goes_down, Index cut) {
  const auto& pairs = std::get<AffinePairs>(pattern.pairs);
  const Index parent = goes_down ? pairs.source_first : pairs.target_first;
  const Index child = goes_down ? pairs.target_first : pairs.source_first;
  return {.pattern = &pattern,
          .round = round,
          .first = parent,
          .stride = pairs.count > 1 ? pairs.source_stride : 1,
          .count = pairs.count,
          .distance = child - parent,
          .cut_from = cut};
}

/// The children of two patterns are different ranks.
bool have_different_children(const TreeEdges& a, const TreeEdges& b) {
  const Index first_a = a.first + a.distance;
  const Index first_b = b.first + b.distance;
  const bool apart = a.last() + a.distance < first_b || b.last() + b.distance < first_a;
  const Index step = std::gcd(a.count > 1 ? a.stride : 0, b.count > 1 ? b.stride : 0);
  return apart || (step > 0 && (first_a - first_b) % step != 0);
}

bool is_child(const std::vector<TreeEdges>& edges, Index v) {
  return std::any_of(edges.begin(), edges.end(), [&](const TreeEdges& e) { return e.has_parent(v - e.distance); });
}

/// Each rank has one parent at most, and as many edges as there are ranks lead away from the root.
bool is_tree(const TreePatterns& tree, Rank ranks) {
  Index messages = 0;
  for (std::size_t a = 0; a < tree.edges.size(); ++a) {
    messages += tree.edges[a].count;
    for (std::size_t b = 0; b < a; ++b) {
      if (!have_different_children(tree.edges[a], tree.edges[b])) {
        return false;
      }
    }
  }
  return messages == ranks - 1 && !is_child(tree.edges, tree.root);
}

std::optional<TreePatterns> patterns_that_go(bool down, const Schedule& schedule) {
  TreePatterns tree{.edges = {}, .goes_down = down};
  const std::vector<Round>& rounds = schedule.stages.front().rounds;
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    for (const Pattern& pattern : rounds[r].patterns) {
      const auto cut = cut_from(pattern, schedule.layout);
      if (!cut || !is_edges(pattern, schedule.ranks) || tree.edges.size() == kMostPatterns) {
        return std::nullopt;
      }
      const Index offset = std::get<LinearNumbering>(pattern.numbering).offset;
      tree.offset = tree.edges.empty() ? offset : tree.offset;
      if (offset != tree.offset) {
        return std::nullopt;
      }
      tree.edges.push_back(edges_of(pattern, r, down, *cut));
      tree.edges.back().depth = down ? r : rounds.size() - 1 - r;
    }
  }
  if (tree.edges.empty()) {
    return std::nullopt;
  }
  tree.root = (down ? tree.edges.front() : tree.edges.back()).first;
  return is_tree(tree, schedule.ranks) ? std::optional(std::move(tree)) : std::nullopt;
}

}  // namespace

std::optional<TreePatterns> tree_patterns(const Schedule& schedule) {
  if (schedule.stages.size() != 1) {
    return std::nullopt;
  }
  const Stage& stage = schedule.stages.front();
  if (stage.iterations != 1 || (stage.segments > 1 && stage.segment_order != SegmentOrder::kPipeline)) {
    return std::nullopt;
  }
  auto down = patterns_that_go(true, schedule);
  return down ? std::move(down) : patterns_that_go(false, schedule);
}

Index block_period(const Pattern& pattern) {
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  return span == nullptr ? 1 : span->align;
}

}  // namespace postage
