#include "predict/rounds/iteration_classes.hpp"

#include "predict/powers_of_two.hpp"
#include "predict/rounds/ungrouped.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

namespace postage {
namespace {

/// So many iterations that no formula tells apart are visited one by one; of more, the first ones and one more.
constexpr Index kMostOneByOne = 64;
constexpr Index kFirstOnes = 8;

template <typename Visit>
void for_each_pattern(const Stage& stage, const Visit& visit) {
  for (const Round& round : stage.rounds) {
    for (const Pattern& pattern : round.patterns) {
      visit(pattern);
    }
  }
}

/// Those that move in some of the iterations [first, end).
std::vector<Plain> moving_patterns(const Stage& stage, Index first, Index end) {
  std::vector<Plain> moving;
  for_each_pattern(stage, [&](const Pattern& pattern) {
    Plain plain = plain_of(pattern);
    const bool idle = pattern.active.end <= first || pattern.active.begin >= end;
    if (!idle && step_of(plain.pairs) != 0) {
      moving.push_back(std::move(plain));
    }
  });
  return moving;
}

/// A walk passes the ring's end in the iterations in which rank 0 takes part.
void add_passing(const Pattern& pattern, Index iterations, std::set<Index>& cuts) {
  const auto v = virtual_of(pattern.numbering, 0);
  if (!v) {
    return;
  }
  const Index own = std::min(iterations, pattern.active.end);
  for (const IndexRange range : {iterations_from(pattern.pairs, *v, own), iterations_to(pattern.pairs, *v, own)}) {
    if (range.count == 1) {
      cuts.insert({range.first, std::min(range.first + 1, iterations)});
    }
  }
}

/// Iterations at which patterns of a stage begin or end or pass the ring's end, 0 and the stage's end included.
std::vector<Index> cuts_of(const Stage& stage) {
  std::set<Index> cuts{0, stage.iterations};
  for_each_pattern(stage, [&](const Pattern& pattern) {
    for (const Index cut : {pattern.active.begin, pattern.active.end}) {
      if (cut > 0 && cut < stage.iterations) {
        cuts.insert(cut);
      }
    }
    add_passing(pattern, stage.iterations, cuts);
  });
  return {cuts.begin(), cuts.end()};
}

/// Iterations [first, end) of a stage, to be told apart.
class IterationStretch {
 public:
  IterationStretch(const Stage& stage, const NodeRanks& nodes, Index first, Index end)
      : nodes_(nodes), first_(first), end_(end), moving_(moving_patterns(stage, first, end)) {}

  void append_to(std::vector<IterationClass>& classes) const {
    if (moving_.empty()) {
      classes.push_back({first_, end_ - first_});
    } else if (nodes_.is_single()) {
      append_periodic({2, 2}, 1, classes);
    } else if (nodes_.is_explicit() || !is_known()) {
      append_periodic({end_ - first_, 0}, 1, classes);
    } else if (nodes_.mapping().kind() == Mapping::Kind::kBlock) {
      append_blocks(classes);
    } else {
      append_cyclic(classes);
    }
  }

 private:
  [[nodiscard]] bool is_known() const {
    return std::all_of(moving_.begin(), moving_.end(), [](const Plain& plain) { return plain.numbering != nullptr; });
  }

  /// Iterations at both ends of a stretch that are unlike those between.
  struct Edges {
    Index front = 0;
    Index back = 0;
  };

  /// The iterations repeat with `period` but for the edges.
  void append_periodic(const Edges& edges, Index period, std::vector<IterationClass>& classes) const {
    const Index inner = end_ - first_ - edges.front - edges.back;
    if (inner <= period) {
      append_each(first_, end_, classes);
      return;
    }
    append_each(first_, first_ + edges.front, classes);
    for (Index i = 0; i < period; ++i) {
      classes.push_back({first_ + edges.front + i, (inner - i + period - 1) / period});
    }
    append_each(end_ - edges.back, end_, classes);
  }

  static void append_each(Index first, Index end, std::vector<IterationClass>& classes) {
    for (Index t = first; t < end; ++t) {
      classes.push_back({t, 1});
    }
  }

  /// Where all ranks of a ring send equally far, the distance decides; where few ranks do, also where on its node each
  /// of them is.
  void append_blocks(std::vector<IterationClass>& classes) const {
    const Index per_node = nodes_.mapping().per_node();
    Edges edges;
    Index period = 1;
    for (const Plain& plain : moving_) {
      const Index step = std::abs(step_of(plain.pairs)) * plain.spacing;
      if (!everybody_moves(plain)) {
        period = std::lcm(period, per_node / std::gcd(step, per_node));
      }
      const Index edge = everybody_moves(plain) ? (per_node + window_of(plain)) / step + 2 : period + 1;
      const bool by_masks = std::holds_alternative<XorPairs>(plain.pairs);
      edges.front = std::max(edges.front, by_masks ? std::max(edge, kMostOneByOne) : edge);
      edges.back = std::max(edges.back, by_masks ? 0 : edge);
    }
    append_periodic(edges, period, classes);
  }

  static bool everybody_moves(const Plain& plain) {
    const auto* affine = std::get_if<AffinePairs>(&plain.pairs);
    return affine == nullptr || (affine->modulus != 0 && affine->count == affine->modulus);
  }

  /// Ranks from the nearest to the farthest of those to which one rank sends at once.
  static Index window_of(const Plain& plain) {
    const auto* shift = std::get_if<ShiftPairs>(&plain.pairs);
    return shift == nullptr ? 0 : shift->distances * std::abs(shift->stride) * plain.spacing;
  }

  /// Edges, and iterations in which ranks of one node meet, one by one; all others are alike.
  void append_cyclic(std::vector<IterationClass>& classes) const {
    std::set<Index> special;
    for (Index i = 0; i < std::min<Index>(2, end_ - first_); ++i) {
      special.insert({first_ + i, end_ - 1 - i});
    }
    for (const Plain& plain : moving_) {
      if (!add_local(plain, special)) {
        append_periodic({end_ - first_ <= kMostOneByOne ? kMostOneByOne : kFirstOnes, 0}, 1, classes);
        return;
      }
    }
    for (const Index t : special) {
      classes.push_back({t, 1});
    }
    Index other = first_;
    while (special.count(other) > 0) {
      ++other;
    }
    if (other < end_) {
      classes.push_back({other, end_ - first_ - static_cast<Index>(special.size())});
    }
  }

  /// Under a cyclic mapping ranks of one node meet where their distance is a multiple of the nodes' number, whether it
  /// is measured one way round the ring or the other. False if the iterations cannot be told without trying all.
  bool add_local(const Plain& plain, std::set<Index>& local) const {
    if (const auto* p = std::get_if<AffinePairs>(&plain.pairs)) {
      if (p->source_stride != p->target_stride && p->count > 1) {
        return false;
      }
      const Index stride = plain.numbering->stride * plain.spacing;
      return add_progression({.distance = stride * (p->target_first - p->source_first),
                              .step = stride * (p->target_step - p->source_step),
                              .around = plain.numbering->ranks * plain.spacing},
                             local);
    }
    if (const auto* p = std::get_if<ShiftPairs>(&plain.pairs)) {
      return add_windows(*p, plain, local);
    }
    const auto* p = std::get_if<XorPairs>(&plain.pairs);
    if (p == nullptr || !is_power_of_two(nodes_.mapping().nodes()) || plain.numbering->offset != 0 ||
        plain.numbering->stride != 1 || plain.spacing != 1) {
      return false;
    }
    return add_progression({p->mask, p->mask_step, 0}, local);
  }

  /// From sources to targets in iteration t: distance + t*step, or that once more or less around the ring.
  struct Drift {
    Index distance = 0;
    Index step = 0;
    Index around = 0;
  };

  /// Iterations in which a distance is a multiple of the nodes' number. False for a walk whose every step is one: then
  /// it matters where on the node it has come to. O(nodes + local).
  bool add_progression(const Drift& drift, std::set<Index>& local) const {
    const Index nodes = nodes_.mapping().nodes();
    const Index period = nodes / std::gcd(drift.step, nodes);
    for (const Index wrapped : {Index{0}, drift.around, -drift.around}) {
      const auto is_local = [&](Index t) { return (drift.distance + wrapped + t * drift.step) % nodes == 0; };
      if (drift.step == 0 && is_local(0)) {
        return false;
      }
      Index t = first_;
      while (drift.step != 0 && t < std::min(first_ + period, end_) && !is_local(t)) {
        ++t;
      }
      for (; drift.step != 0 && t < end_ && is_local(t); t += period) {
        local.insert(t);
      }
    }
    return true;
  }

  /// The same for windows of distances.
  bool add_windows(const ShiftPairs& pairs, const Plain& plain, std::set<Index>& local) const {
    if (plain.numbering->stride != 1 || plain.spacing != 1 || pairs.step <= 0 || pairs.stride != 1) {
      return false;
    }
    const Index nodes = nodes_.mapping().nodes();
    for (const Index wrapped : {Index{0}, pairs.ranks % nodes}) {
      for (Index distance = wrapped; distance <= pairs.ranks; distance += nodes) {
        const Index past = distance - pairs.first - pairs.distances + 1;
        const Index from = std::max(first_, past <= 0 ? 0 : (past + pairs.step - 1) / pairs.step);
        for (Index t = from; t < end_ && pairs.first + t * pairs.step <= distance; ++t) {
          local.insert(t);
        }
      }
    }
    return true;
  }

  const NodeRanks& nodes_;
  Index first_;
  Index end_;
  std::vector<Plain> moving_;
};

}  // namespace

std::vector<IterationClass> iteration_classes(const Stage& stage, const NodeRanks& nodes) {
  std::vector<IterationClass> classes;
  const std::vector<Index> cuts = cuts_of(stage);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    IterationStretch(stage, nodes, cuts[i], cuts[i + 1]).append_to(classes);
  }
  return classes;
}

}  // namespace postage
