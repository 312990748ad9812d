#include "predict/rounds/representative_ranks.hpp"

#include "predict/round_symmetry.hpp"
#include "predict/rounds/rank_spacing.hpp"

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

int exact_log2(Index value) {
  return std::countr_zero(static_cast<std::uint64_t>(value));
}

template <typename Value>
void sort_uniquely(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Collects the nodes on which a round is looked at; ranks, where all are on one.
class Sampling {
 public:
  Sampling(const NodeRanks& nodes, Index iteration, Index of_each)
      : nodes_(nodes), iteration_(iteration), of_each_(of_each) {}

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
            (grouped->listed.ranks != nullptr || std::holds_alternative<ExplicitNumbering>(grouped->inner)));
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
      for (Index i = 0; i < std::min(of_each_, nodes_.nodes()); ++i) {
        add_node_of(i);
        add_node_of(nodes_.nodes() - 1 - i);
      }
      return;
    }
    add_partners(pattern, 0);
    for (Index i = 0; i < of_each_; ++i) {
      add_node_of((ranks / 2 + i * nodes_.mapping().per_node()) % ranks);
    }
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

  /// Both ends of 0, 1, ..., count - 1 and of_each_ periods in the middle.
  template <typename Visit>
  void for_each_sample(Index count, Index one_period, const Visit& visit) const {
    const Index period = one_period * of_each_;
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
  Index of_each_;
  std::vector<Index> nodes_visited_;
  std::vector<Rank> ranks_;
};

}  // namespace

std::vector<Rank> ranks_to_visit(const Round& round, Index iteration, const NodeRanks& nodes, Index of_each) {
  Sampling sampling(nodes, iteration, of_each);
  if (!nodes.is_single() && all_nodes_alike(round, iteration, nodes)) {
    sampling.add_first_node();
  } else {
    for (const Pattern& pattern : round.patterns) {
      sampling.add(pattern);
    }
  }
  return sampling.ranks();
}

std::vector<Rank> node_by_node(std::vector<Rank> ranks, const NodeRanks& nodes) {
  const auto place = [&](Rank rank) { return std::pair(nodes.node_of(rank), rank); };
  std::sort(ranks.begin(), ranks.end(), [&](Rank a, Rank b) { return place(a) < place(b); });
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

}  // namespace postage
