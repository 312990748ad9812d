#include "predict/rounds/representative_ranks.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

namespace postage {
namespace {

/// A mirror image lies across the nodes in no regular way: so many of its pairs are looked at, or all of fewer.
constexpr Index kMirrorSamples = 8;
constexpr Index kFewPairs = 1024;

bool is_power_of_two(Index value) {
  return value > 0 && (value & (value - 1)) == 0;
}

int exact_log2(Index value) {
  return std::countr_zero(static_cast<std::uint64_t>(value));
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
  const auto* p = std::get_if<ShiftPairs>(&pattern.pairs);
  return p != nullptr && unit(linear->stride) && p->ranks == ranks;
}

/// Of P ranks numbered as they are, each exchanges with the one whose number differs in the bits of a mask: by itself
/// or as half of a butterfly, whose other half is in the same round.
bool exchanges_with_all(const Pattern& pattern, Rank ranks) {
  const auto* p = std::get_if<XorPairs>(&pattern.pairs);
  const auto* tiled = std::get_if<TiledPairs>(&pattern.pairs);
  const bool all = (p != nullptr && p->count == ranks) ||
                   (tiled != nullptr && 2 * tiled->count == ranks && 2 * tiled->width == tiled->stride &&
                    std::max(tiled->source_first, tiled->target_first) == tiled->width &&
                    std::min(tiled->source_first, tiled->target_first) == 0 && is_power_of_two(tiled->width));
  const auto* linear = std::get_if<LinearNumbering>(&pattern.numbering);
  const auto* folded = std::get_if<FoldedNumbering>(&pattern.numbering);
  const bool as_they_are = (linear != nullptr && linear->ranks == ranks && linear->base == 0 && linear->offset == 0 &&
                            linear->stride == 1) ||
                           (folded != nullptr && folded->remainder == 0 && folded->stride == 1);
  return all && as_they_are && is_power_of_two(ranks);
}

/// Every half of a butterfly has the other in its round.
bool is_whole_butterfly(const Round& round) {
  Index upwards = 0;
  Index downwards = 0;
  for (const Pattern& pattern : round.patterns) {
    if (const auto* tiled = std::get_if<TiledPairs>(&pattern.pairs)) {
      (tiled->source_first < tiled->target_first ? upwards : downwards) += 1;
    }
  }
  return upwards == downwards;
}

template <typename Value>
void sort_uniquely(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Collects the nodes on which a round is looked at; ranks, where all are on one.
class Sampling {
 public:
  Sampling(const NodeRanks& nodes, Index iteration) : nodes_(nodes), iteration_(iteration) {}

  void add(const Pattern& pattern) {
    if (pair_count(pattern, iteration_) == 0) {
      return;
    }
    if (is_table(pattern)) {
      for (Index i = 0; i < pair_count(pattern.pairs); ++i) {
        add_pair(pattern, i);
      }
    } else if (goes_round(pattern, nodes_.ranks())) {
      add_ring(pattern);
    } else {
      const bool alone = is_sparse(pattern);
      std::visit(
          [&](const auto& pairs) { sample(pairs, pattern.numbering, [&](Index i) { add_pair(pattern, i, alone); }); },
          pattern.pairs);
      add_breaks(pattern);
    }
  }

  void add_first_node() { nodes_visited_.push_back(0); }

  [[nodiscard]] std::vector<Rank> ranks() {
    sort_uniquely(ranks_);
    sort_uniquely(nodes_visited_);
    std::erase_if(ranks_, [&](Rank rank) {
      return std::binary_search(nodes_visited_.begin(), nodes_visited_.end(), nodes_.node_of(rank));
    });
    for (const Index node : nodes_visited_) {
      nodes_.for_each(node, [&](Rank rank) { ranks_.push_back(rank); });
    }
    return std::move(ranks_);
  }

 private:
  /// No few pairs of the pattern tell of the others.
  [[nodiscard]] bool is_table(const Pattern& pattern) const {
    const auto* grouped = std::get_if<GroupedNumbering>(&pattern.numbering);
    return nodes_.is_explicit() || std::holds_alternative<ExplicitPairs>(pattern.pairs) ||
           std::holds_alternative<ExplicitNumbering>(pattern.numbering) ||
           (grouped != nullptr &&
            (grouped->places.ranks != nullptr || std::holds_alternative<ExplicitNumbering>(grouped->inner)));
  }

  void add_node_of(Index rank) {
    if (nodes_.is_single()) {
      ranks_.push_back(static_cast<Rank>(rank));
    } else {
      nodes_visited_.push_back(nodes_.node_of(static_cast<Rank>(rank)));
    }
  }

  /// Both ends of a pair, alone or with all ranks of their nodes.
  void add_pair(const Pattern& pattern, Index i, bool alone = false) {
    const Pair pair = pair_at(pattern.pairs, i, iteration_);
    for (const Index v : {pair.source, pair.target}) {
      const Index rank = rank_of(pattern.numbering, v);
      if (alone) {
        ranks_.push_back(static_cast<Rank>(rank));
      } else {
        add_node_of(rank);
      }
    }
  }

  /// No node has more than one source and one target of the pattern.
  [[nodiscard]] bool is_sparse(const Pattern& pattern) const {
    const auto* p = std::get_if<AffinePairs>(&pattern.pairs);
    if (p == nullptr || p->source_stride == 0 || p->source_stride != p->target_stride || p->modulus != 0 ||
        nodes_.is_single()) {
      return false;
    }
    const Index space = std::abs(p->source_stride) * spacing(pattern.numbering);
    const Mapping& mapping = nodes_.mapping();
    return mapping.kind() == Mapping::Kind::kBlock
               ? space >= mapping.per_node()
               : p->count <= mapping.nodes() / std::gcd(space, Index{mapping.nodes()});
  }

  /// A rank that takes part, and those with whom it does.
  void add_partners(const Pattern& pattern, Index rank) {
    const auto v = virtual_of(pattern.numbering, rank);
    if (!v) {
      return;
    }
    for (const PairIndices& own :
         {pairs_from(pattern.pairs, *v, iteration_), pairs_to(pattern.pairs, *v, iteration_)}) {
      if (own.count > 0) {
        add_pair(pattern, own.at(0));
        add_pair(pattern, own.at(own.count - 1));
      }
    }
  }

  /// Where all ranks do the same: on the first node and one with the fewest ranks; where ranks stand one after another
  /// on their nodes, also halfway, and before the ring's end.
  void add_ring(const Pattern& pattern) {
    const Index ranks = nodes_.ranks();
    if (!nodes_.is_single() && nodes_.mapping().kind() == Mapping::Kind::kCyclic) {
      add_node_of(0);
      add_node_of(nodes_.nodes() - 1);
      return;
    }
    add_partners(pattern, 0);
    add_node_of(ranks / 2);
    add_node_of(ranks - 1);
  }

  /// Ranks at which a numbering breaks: where it passes the ring's end, where folded ranks meet the others, where two
  /// are swapped.
  void add_breaks(const Pattern& pattern) {
    const Index ranks = nodes_.ranks();
    if (const auto* linear = std::get_if<LinearNumbering>(&pattern.numbering);
        linear != nullptr && linear->offset != 0) {
      add_partners(pattern, linear->base);
      add_partners(pattern, linear->base + linear->ranks - 1);
    }
    if (const auto* folded = std::get_if<FoldedNumbering>(&pattern.numbering)) {
      const Index others_from = 2 * folded->remainder * folded->stride;
      for (Index rank = std::max<Index>(others_from - 1, 0); rank < std::min(others_from + 1, ranks); ++rank) {
        add_partners(pattern, rank);
      }
    }
    if (const auto* grouped = std::get_if<GroupedNumbering>(&pattern.numbering);
        grouped != nullptr && grouped->swapped_a >= 0) {
      add_partners(pattern, grouped->swapped_a);
      add_partners(pattern, grouped->swapped_b);
    }
  }

  /// Steps of `space` ranks after which nodes are met as at the beginning.
  [[nodiscard]] Index period_of(Index space) const {
    if (nodes_.is_single() || nodes_.mapping().kind() == Mapping::Kind::kCyclic) {
      return 1;
    }
    const Index per_node = nodes_.mapping().per_node();
    return per_node / std::gcd(space, per_node);
  }

  /// Both ends of 0, 1, ..., count - 1 and one period in the middle.
  template <typename Visit>
  static void for_each_sample(Index count, Index period, const Visit& visit) {
    if (count <= period + 2) {
      for (Index i = 0; i < count; ++i) {
        visit(i);
      }
      return;
    }
    visit(0);
    for (Index i = 0; i < period; ++i) {
      visit((count - period) / 2 + i);
    }
    visit(count - 1);
  }

  /// Ranks from one virtual rank to the next.
  static Index spacing(const PlainNumbering& numbering) {
    if (const auto* linear = std::get_if<LinearNumbering>(&numbering)) {
      return std::max<Index>(std::abs(linear->stride), 1);
    }
    const auto* folded = std::get_if<FoldedNumbering>(&numbering);
    return folded == nullptr ? 1 : folded->stride;
  }
  static Index spacing(const Numbering& numbering) {
    return std::visit(
        [](const auto& n) {
          if constexpr (std::is_same_v<std::decay_t<decltype(n)>, GroupedNumbering>) {
            return spacing(n.inner) * n.member_stride;
          } else {
            return spacing(PlainNumbering(n));
          }
        },
        numbering);
  }

  /// Where the numbering reverses bits, the pairs in the order of ranks have their numbers' bits reversed.
  static bool reverses(const Numbering& numbering, Index count) {
    const auto* folded = std::get_if<FoldedNumbering>(&numbering);
    return folded != nullptr && folded->reversed_bits > 0 && is_power_of_two(count);
  }

  /// `count` pairs in tiles of `width`.
  template <typename Visit>
  void sample_tiles(Index count, Index width, Index space, const Visit& visit) const {
    for_each_sample((count + width - 1) / width, period_of(2 * width * space), [&](Index tile) {
      const Index first = tile * width;
      for_each_sample(std::min(width, count - first), 1, [&](Index i) { visit(first + i); });
    });
  }

  template <typename Visit>
  void sample(const AffinePairs& pairs, const Numbering& numbering, const Visit& visit) const {
    if (reverses(numbering, pairs.count)) {
      const int bits = exact_log2(pairs.count);
      for_each_sample(pairs.count, period_of(1), [&](Index i) { visit(reverse_bits(i, bits)); });
      return;
    }
    const Index stride = std::max<Index>({std::abs(pairs.source_stride), std::abs(pairs.target_stride), 1});
    for_each_sample(pairs.count, period_of(stride * spacing(numbering)), visit);
  }
  template <typename Visit>
  void sample(const TiledPairs& pairs, const Numbering& numbering, const Visit& visit) const {
    if (reverses(numbering, pairs.count)) {
      const int bits = exact_log2(pairs.count);
      sample_tiles(pairs.count, pairs.count / pairs.width, 1, [&](Index i) { visit(reverse_bits(i, bits)); });
    } else {
      sample_tiles(pairs.count, pairs.width, spacing(numbering), visit);
    }
  }
  /// The lower ones of those that differ in the highest bit of the mask are tiles.
  template <typename Visit>
  void sample(const XorPairs& pairs, const Numbering& numbering, const Visit& visit) const {
    const auto mask = static_cast<std::uint64_t>(pairs.mask + iteration_ * pairs.mask_step);
    const auto width = std::max<Index>(static_cast<Index>(std::bit_floor(mask)), 1);
    sample_tiles(pairs.count / 2, width, spacing(numbering),
                 [&](Index i) { visit(i / width * 2 * width + i % width); });
  }
  template <typename Visit>
  void sample(const ShiftPairs& pairs, const Numbering& numbering, const Visit& visit) const {
    for_each_sample(pairs.ranks, period_of(spacing(numbering)), [&](Index source) {
      visit(source);
      visit((pairs.distances - 1) * pairs.ranks + source);
    });
  }
  template <typename Visit>
  void sample(const ReflectedPairs& pairs, const Numbering& /*numbering*/, const Visit& visit) const {
    const Index count = pair_count(Pairs(pairs));
    const Index step = count <= kFewPairs ? 1 : count / kMirrorSamples;
    for (Index i = 0; i < count; i += step) {
      visit(i);
    }
    visit(count - 1);
  }
  template <typename Visit>
  void sample(const ExplicitPairs& pairs, const Numbering& /*numbering*/, const Visit& visit) const {
    for (std::size_t i = 0; i < pairs.pairs->size(); ++i) {
      visit(static_cast<Index>(i));
    }
  }
  template <typename Visit>
  void sample(const GroupedPairs& pairs, const Numbering& numbering, const Visit& visit) const {
    const auto* grouped = std::get_if<GroupedNumbering>(&numbering);
    const Index in_group = pair_count(Pairs(pairs)) / pairs.groups;
    for_each_sample(pairs.groups, period_of(std::max<Index>(grouped->group_stride, 1)), [&](Index group) {
      std::visit([&](const auto& each) { sample(each, numbering, [&](Index i) { visit(group * in_group + i); }); },
                 pairs.each);
    });
  }

  const NodeRanks& nodes_;
  Index iteration_;
  std::vector<Index> nodes_visited_;
  std::vector<Rank> ranks_;
};

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
      const auto node = static_cast<std::size_t>(mapping_.placement_of(rank).node);
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

bool all_nodes_alike(const Round& round, Index iteration, const NodeRanks& nodes) {
  if (nodes.is_single()) {
    return true;
  }
  const bool by_masks = is_power_of_two(nodes.mapping().kind() == Mapping::Kind::kBlock ? nodes.mapping().per_node()
                                                                                        : nodes.mapping().nodes()) &&
                        is_whole_butterfly(round);
  return nodes.is_full_and_regular() &&
         std::all_of(round.patterns.begin(), round.patterns.end(), [&](const Pattern& pattern) {
           return pair_count(pattern, iteration) == 0 || goes_round(pattern, nodes.ranks()) ||
                  (by_masks && exchanges_with_all(pattern, nodes.ranks()));
         });
}

std::vector<Rank> ranks_to_visit(const Round& round, Index iteration, const NodeRanks& nodes) {
  Sampling sampling(nodes, iteration);
  if (!nodes.is_single() && all_nodes_alike(round, iteration, nodes)) {
    sampling.add_first_node();
  } else {
    for (const Pattern& pattern : round.patterns) {
      sampling.add(pattern);
    }
  }
  return sampling.ranks();
}

}  // namespace postage
