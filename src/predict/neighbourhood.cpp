#include "predict/neighbourhood.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace postage {
namespace {

bool is_power_of_two(Index value) {
  return value > 0 && (value & (value - 1)) == 0;
}

bool steps(const AffinePairs& pairs) {
  return pairs.source_step != 0 || pairs.target_step != 0;
}
bool steps(const ShiftPairs& pairs) {
  return pairs.step != 0;
}
bool steps(const XorPairs& pairs) {
  return pairs.mask_step != 0;
}
template <typename OtherPairs>
bool steps(const OtherPairs& /*pairs*/) {
  return false;
}
bool steps(const GroupedPairs& pairs) {
  return std::visit([](const auto& each) { return steps(each); }, pairs.each);
}

/// A pattern whose pairs move from iteration to iteration, or whose sources and targets drift apart.
bool moves(const Pattern& pattern) {
  return std::visit([](const auto& pairs) { return steps(pairs); }, pattern.pairs);
}

template <typename Visit>
void for_each_pattern(const Stage& stage, const Visit& visit) {
  for (const Round& round : stage.rounds) {
    for (const Pattern& pattern : round.patterns) {
      visit(pattern);
    }
  }
}

/// Iterations at which patterns of a stage begin or end, 0 and the stage's end included.
std::vector<Index> cuts_of(const Stage& stage) {
  std::set<Index> cuts{0, stage.iterations};
  for_each_pattern(stage, [&](const Pattern& pattern) {
    for (const Index cut : {pattern.active.begin, pattern.active.end}) {
      if (cut > 0 && cut < stage.iterations) {
        cuts.insert(cut);
      }
    }
  });
  return {cuts.begin(), cuts.end()};
}

void add_each(Index first, Index end, std::vector<IterationClass>& classes) {
  for (Index t = first; t < end; ++t) {
    classes.push_back({t, 1});
  }
}

/// Iterations [first, end) that repeat with `period` but for `edge` ones at both ends.
void add_periodic(Index first, Index end, Index edge, Index period, std::vector<IterationClass>& classes) {
  if (end - first <= 2 * edge + period) {
    add_each(first, end, classes);
    return;
  }
  add_each(first, first + edge, classes);
  const Index inner = end - first - 2 * edge;
  for (Index i = 0; i < period; ++i) {
    classes.push_back({first + edge + i, (inner - i + period - 1) / period});
  }
  add_each(end - edge, end, classes);
}

/// How far a pattern's targets are from its sources in rank space, at iteration t: distance + t*step, if that is the
/// same for all pairs. `wrap` is what a pair that passes the end of the ring adds.
struct Drift {
  Index distance = 0;
  Index step = 0;
  Index wrap = 0;
};

bool drift_of(const Pattern& pattern, Drift& drift) {
  const auto* linear = std::get_if<LinearNumbering>(&pattern.numbering);
  if (linear == nullptr) {
    return false;
  }
  if (const auto* p = std::get_if<AffinePairs>(&pattern.pairs)) {
    drift = {linear->stride * (p->target_first - p->source_first), linear->stride * (p->target_step - p->source_step),
             linear->ranks};
    return p->source_stride == p->target_stride || p->count == 1;
  }
  const auto* p = std::get_if<XorPairs>(&pattern.pairs);
  if (p == nullptr) {
    return false;
  }
  drift = {p->mask, p->mask_step, 0};
  return linear->stride == 1 && linear->offset == 0;
}

/// The same for a window of distances: the iterations in which one of them, either way round the ring, is a multiple.
bool add_window_meetings(const ShiftPairs& pairs, const LinearNumbering& numbering, Index nodes, Index first, Index end,
                         std::set<Index>& meetings) {
  if (numbering.stride != 1 || pairs.step <= 0 || pairs.stride != 1) {
    return false;
  }
  for (const Index wrapped : {Index{0}, pairs.ranks % nodes}) {
    for (Index distance = wrapped; distance <= pairs.ranks; distance += nodes) {
      const Index around = (distance - pairs.first) / pairs.step;
      for (Index t = around - pairs.distances / pairs.step - 1; t <= around + 1; ++t) {
        if (t >= first && t < end) {
          meetings.insert(t);
        }
      }
    }
  }
  return true;
}

/// Adds the iterations in [first, end) at which a pattern joins ranks of one node under a cyclic mapping: the distance
/// is a multiple of the nodes' number. False if they cannot be told without trying all.
bool add_meetings(const Pattern& pattern, Index nodes, Index first, Index end, std::set<Index>& meetings) {
  const auto* linear = std::get_if<LinearNumbering>(&pattern.numbering);
  if (const auto* window = std::get_if<ShiftPairs>(&pattern.pairs)) {
    return linear != nullptr && add_window_meetings(*window, *linear, nodes, first, end, meetings);
  }
  Drift drift;
  if (!drift_of(pattern, drift) || (drift.wrap == 0 && !is_power_of_two(nodes))) {
    return false;
  }
  if (drift.step == 0) {
    return true;
  }
  if (drift.step != 1 && drift.step != -1) {
    return false;
  }
  for (const Index wrapped : {Index{0}, drift.wrap, -drift.wrap}) {
    const Index remainder = ((-(drift.distance + wrapped) * drift.step) % nodes + nodes) % nodes;
    for (Index t = first + ((remainder - first) % nodes + nodes) % nodes; t < end; t += nodes) {
      meetings.insert(t);
    }
  }
  return true;
}

/// Under a cyclic mapping: edges and meetings one by one, all others alike.
bool add_cyclic(const Stage& stage, Index nodes, Index first, Index end, std::vector<IterationClass>& classes) {
  std::set<Index> special;
  for (Index i = 0; i < std::min<Index>(2, end - first); ++i) {
    special.insert({first + i, end - 1 - i});
  }
  bool known = true;
  for_each_pattern(stage, [&](const Pattern& pattern) {
    const bool idle = pattern.active.end <= first || pattern.active.begin >= end;
    known = known && (idle || !moves(pattern) || add_meetings(pattern, nodes, first, end, special));
  });
  if (!known) {
    return false;
  }
  for (const Index t : special) {
    classes.push_back({t, 1});
  }
  Index other = first;
  while (special.count(other) > 0) {
    ++other;
  }
  if (other < end) {
    classes.push_back({other, end - first - static_cast<Index>(special.size())});
  }
  return true;
}

/// Under a block mapping an exclusive or repeats from node to node only where a node holds a power of two of ranks.
bool repeats_on_blocks(const Stage& stage, Index per_node) {
  bool repeats = true;
  for_each_pattern(stage, [&](const Pattern& pattern) {
    const bool by_mask = std::holds_alternative<XorPairs>(pattern.pairs);
    repeats = repeats && std::holds_alternative<LinearNumbering>(pattern.numbering) &&
              (!by_mask || is_power_of_two(per_node));
  });
  return repeats;
}

/// No few pairs of the pattern tell of the others.
bool is_table(const Pattern& pattern) {
  return std::holds_alternative<ExplicitPairs>(pattern.pairs) || std::holds_alternative<MirrorPairs>(pattern.pairs) ||
         std::holds_alternative<GroupedPairs>(pattern.pairs) ||
         std::holds_alternative<ExplicitNumbering>(pattern.numbering);
}

/// Every rank of the ring is a source once and a target once.
bool goes_round(const Pattern& pattern, Rank ranks) {
  const auto* linear = std::get_if<LinearNumbering>(&pattern.numbering);
  if (linear == nullptr || linear->ranks != ranks || linear->base != 0) {
    return false;
  }
  const auto unit = [](Index stride) { return stride == 1 || stride == -1; };
  if (const auto* p = std::get_if<AffinePairs>(&pattern.pairs)) {
    return unit(linear->stride) && p->modulus == ranks && p->count == ranks && p->source_stride == 1 &&
           p->target_stride == 1;
  }
  if (const auto* p = std::get_if<ShiftPairs>(&pattern.pairs)) {
    return unit(linear->stride) && p->ranks == ranks;
  }
  const auto* p = std::get_if<XorPairs>(&pattern.pairs);
  return p != nullptr && p->count == ranks && linear->offset == 0 && linear->stride == 1;
}

/// Ranks from one pair of a pattern to the next.
Index spacing(const Pattern& pattern) {
  Index stride = 1;
  if (const auto* p = std::get_if<AffinePairs>(&pattern.pairs)) {
    stride = std::max<Index>({std::abs(p->source_stride), std::abs(p->target_stride), 1});
  } else if (const auto* tiled = std::get_if<TiledPairs>(&pattern.pairs)) {
    stride = tiled->stride;
  }
  if (const auto* linear = std::get_if<LinearNumbering>(&pattern.numbering)) {
    return stride * std::max<Index>(std::abs(linear->stride), 1);
  }
  if (const auto* folded = std::get_if<FoldedNumbering>(&pattern.numbering)) {
    return stride * folded->stride;
  }
  return stride;
}

/// Pairs after which a pattern lies across the nodes as at its beginning, and two more.
Index samples_at_edge(const Pattern& pattern, const NodeRanks& nodes) {
  if (nodes.is_single() || nodes.mapping().kind() == Mapping::Kind::kCyclic) {
    return 2;
  }
  const Index per_node = nodes.mapping().per_node();
  const Index space = spacing(pattern);
  return per_node / std::gcd(space, per_node) + 2;
}

/// Numbers below `count`: the first, middle and last `edge` ones.
template <typename Visit>
void for_each_edge(Index count, Index edge, const Visit& visit) {
  const auto visit_range = [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      visit(i);
    }
  };
  if (count <= 3 * edge) {
    visit_range(0, count);
    return;
  }
  visit_range(0, edge);
  visit_range((count - edge) / 2, (count + edge) / 2);
  visit_range(count - edge, count);
}

/// Calls visit(pair) for the first, middle and last `edge` pairs of a pattern; of tiled pairs for those of the first,
/// middle and last tiles.
template <typename Visit>
void for_each_sample(const Pattern& pattern, Index iteration, Index edge, const Visit& visit) {
  const Index count = pair_count(pattern, iteration);
  const auto visit_pair = [&](Index i) { visit(pair_at(pattern.pairs, i, iteration)); };
  const auto* tiled = std::get_if<TiledPairs>(&pattern.pairs);
  if (tiled == nullptr || tiled->width == 1) {
    for_each_edge(count, edge, visit_pair);
    return;
  }
  const Index tiles = (count + tiled->width - 1) / tiled->width;
  for_each_edge(tiles, edge, [&](Index tile) {
    const Index first = tile * tiled->width;
    const Index width = std::min(tiled->width, count - first);
    for_each_edge(width, edge, [&](Index i) { visit_pair(first + i); });
  });
}

}  // namespace

NodeRanks::NodeRanks(const ChannelMap& channels, Rank ranks)
    : mapping_(channels.mapping()), ranks_(ranks), single_(channels.is_single()) {
  if (single_) {
    return;
  }
  if (mapping_.capacity() < ranks) {
    throw Error(fmt::format("the mapping has places for {} ranks, but P is {}", mapping_.capacity(), ranks));
  }
  nodes_ = mapping_.nodes();
  if (is_explicit()) {
    nodes_ = 0;
    for (Rank rank = 0; rank < ranks; ++rank) {
      const auto node = static_cast<std::size_t>(mapping_.place_of(rank).node);
      listed_.resize(std::max(listed_.size(), node + 1));
      listed_[node].push_back(rank);
    }
    nodes_ = static_cast<Index>(listed_.size());
  } else if (mapping_.kind() == Mapping::Kind::kBlock) {
    nodes_ = (Index{ranks} + mapping_.per_node() - 1) / mapping_.per_node();
  } else {
    nodes_ = std::min<Index>(mapping_.nodes(), ranks);
  }
}

bool NodeRanks::is_full_and_regular() const {
  return !single_ && !is_explicit() && ranks_ == nodes_ * mapping_.per_node() && nodes_ <= mapping_.nodes() &&
         (mapping_.kind() == Mapping::Kind::kBlock || nodes_ == mapping_.nodes());
}

std::vector<IterationClass> iteration_classes(const Stage& stage, const NodeRanks& nodes) {
  bool any_moves = false;
  for_each_pattern(stage, [&](const Pattern& pattern) { any_moves = any_moves || moves(pattern); });
  std::vector<IterationClass> classes;
  const std::vector<Index> cuts = cuts_of(stage);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Index first = cuts[i];
    const Index end = cuts[i + 1];
    if (!any_moves) {
      classes.push_back({first, end - first});
    } else if (nodes.is_single()) {
      add_periodic(first, end, 2, 1, classes);
    } else if (nodes.is_explicit()) {
      add_each(first, end, classes);
    } else if (nodes.mapping().kind() == Mapping::Kind::kBlock) {
      if (repeats_on_blocks(stage, nodes.mapping().per_node())) {
        add_periodic(first, end, nodes.mapping().per_node() + 1, nodes.mapping().per_node(), classes);
      } else {
        add_each(first, end, classes);
      }
    } else if (!add_cyclic(stage, nodes.mapping().nodes(), first, end, classes)) {
      add_each(first, end, classes);
    }
  }
  return classes;
}

bool all_nodes_alike(const Round& round, Index iteration, const NodeRanks& nodes) {
  if (nodes.is_single()) {
    return true;
  }
  const bool by_masks = nodes.mapping().kind() == Mapping::Kind::kBlock ? is_power_of_two(nodes.mapping().per_node())
                                                                        : is_power_of_two(nodes.mapping().nodes());
  return nodes.is_full_and_regular() &&
         std::all_of(round.patterns.begin(), round.patterns.end(), [&](const Pattern& pattern) {
           const bool masked = std::holds_alternative<XorPairs>(pattern.pairs);
           return pair_count(pattern, iteration) == 0 || (goes_round(pattern, nodes.ranks()) && (!masked || by_masks));
         });
}

std::vector<Rank> ranks_to_visit(const Round& round, Index iteration, const NodeRanks& nodes) {
  std::set<Index> visited;
  if (!nodes.is_single() && all_nodes_alike(round, iteration, nodes)) {
    visited.insert(0);
  } else {
    for (const Pattern& pattern : round.patterns) {
      const bool all = nodes.is_explicit() || is_table(pattern);
      for_each_sample(pattern, iteration, all ? pair_count(pattern, iteration) : samples_at_edge(pattern, nodes),
                      [&](const Pair& pair) {
                        for (const Index v : {pair.source, pair.target}) {
                          const Index rank = rank_of(pattern.numbering, v);
                          visited.insert(nodes.is_single() ? rank : nodes.node_of(static_cast<Rank>(rank)));
                        }
                      });
    }
  }
  if (nodes.is_single()) {
    return {visited.begin(), visited.end()};
  }
  std::vector<Rank> ranks;
  for (const Index node : visited) {
    nodes.for_each(node, [&](Rank rank) { ranks.push_back(rank); });
  }
  return ranks;
}

}  // namespace postage
