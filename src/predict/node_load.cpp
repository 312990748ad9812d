#include "predict/node_load.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

/// More transfers than this of one rank in one pattern are bundled.
constexpr Index kFan = 4;

ChannelId checked_channel(const ChannelMap& channels, Rank source, Rank target) {
  const ChannelId channel = channels.channel_of(source, target);
  if (channel >= kMostChannels) {
    throw Error(fmt::format("channel number {} is one too many; contention is followed on {} channels", channel,
                            kMostChannels));
  }
  return channel;
}

/// Calls visit(other) for the ranks on the node of `rank` among which all are to which it sends, or from which it
/// receives.
template <typename Visit>
void for_each_near(const Pattern& pattern, Index iteration, Rank rank, bool sent, const NodeRanks& nodes,
                   const Visit& visit) {
  const auto* shift = std::get_if<ShiftPairs>(&pattern.pairs);
  const auto* ring = std::get_if<LinearNumbering>(&pattern.numbering);
  const bool on_arc = shift != nullptr && shift->stride == 1 && ring != nullptr && ring->stride == 1 &&
                      ring->ranks == nodes.ranks() && ring->base == 0;
  if (!on_arc) {
    nodes.for_each(nodes.node_of(rank), visit);
    return;
  }
  const Index nearest = shift->first + iteration * shift->step;
  const Index first = sent ? rank + nearest : rank - nearest - shift->distances + 1;
  nodes.for_each_on_arc(nodes.node_of(rank), first, shift->distances, visit);
}

/// What append_bundles needs of one rank in one direction.
class Side {
 public:
  Side(const Schedule& schedule, const Place& place, const Pattern& pattern, Rank rank, bool sent,
       const NodeRanks& nodes, const ChannelMap& channels, std::vector<Bundle>& out)
      : schedule_(schedule),
        place_(place),
        pattern_(pattern),
        rank_(rank),
        sent_(sent),
        nodes_(nodes),
        channels_(channels),
        out_(out) {}

  void append(const PairIndices& own) {
    const bool even = schedule_.layout.has_formula() && !nodes_.is_explicit();
    if (own.count > kFan && even) {
      append_fan(own);
      return;
    }
    for (Index k = 0; k < own.count; ++k) {
      append_one(transfer_at(schedule_, place_, pattern_, own.at(k)), 1);
    }
  }

 private:
  void append_one(const Transfer& transfer, Index count) {
    if (transfer.source != transfer.target && count > 0) {
      out_.push_back({transfer.source, transfer.target, checked_channel(channels_, transfer.source, transfer.target),
                      transfer.bytes, count, sent_, pattern_.combine != Combine::kCopy});
    }
  }

  [[nodiscard]] Rank other_of(const Transfer& transfer) const { return sent_ ? transfer.target : transfer.source; }

  /// The pair that joins this rank with another; -1 if there is none.
  [[nodiscard]] Index pair_with(Rank other) const {
    const auto own = virtual_of(pattern_.numbering, rank_);
    const auto theirs = virtual_of(pattern_.numbering, other);
    if (!own || !theirs) {
      return -1;
    }
    return sent_ ? pair_between(pattern_.pairs, *own, *theirs, place_.iteration)
                 : pair_between(pattern_.pairs, *theirs, *own, place_.iteration);
  }

  void append_fan(const PairIndices& own) {
    if (nodes_.is_single()) {
      append_one(transfer_at(schedule_, place_, pattern_, own.at(0)), own.count);
      return;
    }
    Index rest = own.count;
    for_each_near(pattern_, place_.iteration, rank_, sent_, nodes_, [&](Rank other) {
      if (const Index i = pair_with(other); i >= 0) {
        append_one(transfer_at(schedule_, place_, pattern_, i), 1);
        --rest;
      }
    });
    for (Index k = 0; rest > 0 && k < own.count; ++k) {
      const Transfer transfer = transfer_at(schedule_, place_, pattern_, own.at(k));
      if (nodes_.node_of(other_of(transfer)) != nodes_.node_of(rank_)) {
        append_one(transfer, rest);
        return;
      }
    }
  }

  const Schedule& schedule_;
  const Place& place_;
  const Pattern& pattern_;
  Rank rank_;
  bool sent_;
  const NodeRanks& nodes_;
  const ChannelMap& channels_;
  std::vector<Bundle>& out_;
};

/// Counts one pattern's transfers of one rank into its node's load. Each transfer inside a node is told from the side
/// where it is one of the fewer: its source's or its target's.
class PatternCounter {
 public:
  PatternCounter(const Place& place, const Pattern& pattern, const NodeRanks& nodes, const ChannelMap& channels)
      : place_(place), pattern_(pattern), nodes_(nodes), channels_(channels) {
    const auto* p = std::get_if<AffinePairs>(&pattern.pairs);
    told_by_target_ = p != nullptr && p->source_stride == 0;
  }

  void count(Rank rank, Index v, NodeLoad& load) const {
    const PairIndices from = pairs_from(pattern_.pairs, v, place_.iteration);
    const PairIndices to = pairs_to(pattern_.pairs, v, place_.iteration);
    load.leaving += from.count;
    load.entering += to.count;
    const PairIndices& told = told_by_target_ ? to : from;
    if (told.count <= kFan) {
      for (Index k = 0; k < told.count; ++k) {
        tell(pair_at(pattern_.pairs, told.at(k), place_.iteration), load);
      }
      return;
    }
    for_each_near(pattern_, place_.iteration, rank, true, nodes_, [&](Rank other) {
      const auto w = virtual_of(pattern_.numbering, other);
      if (w && pair_between(pattern_.pairs, v, *w, place_.iteration) >= 0) {
        tell({v, *w}, load);
      }
    });
  }

 private:
  /// A transfer inside the node was taken for one that leaves and one that enters.
  void tell(const Pair& pair, NodeLoad& load) const {
    const Rank source = static_cast<Rank>(rank_of(pattern_.numbering, pair.source));
    const Rank target = static_cast<Rank>(rank_of(pattern_.numbering, pair.target));
    if (nodes_.node_of(source) != nodes_.node_of(target)) {
      return;
    }
    --load.leaving;
    --load.entering;
    if (source != target) {
      ++load.inside[checked_channel(channels_, source, target)];
    }
  }

  const Place& place_;
  const Pattern& pattern_;
  const NodeRanks& nodes_;
  const ChannelMap& channels_;
  bool told_by_target_ = false;
};

void share_inside(const NodeLoad& load, TransferQuestion& question) {
  const Index same = load.inside[question.channel];
  question.concurrency = static_cast<double>(std::max<Index>(same, 1));
  question.sending_concurrency = static_cast<double>(std::max<Index>(same + load.leaving, 1));
  question.receiving_concurrency = question.concurrency;
}

void share_outside(const NodeLoad& source, const NodeLoad& target, TransferQuestion& question) {
  const auto at_least_one = [](Index count) { return static_cast<double>(std::max<Index>(count, 1)); };
  question.concurrency = at_least_one(std::max(source.leaving, target.entering));
  question.sending_concurrency = at_least_one(source.all_inside() + source.leaving);
  question.receiving_concurrency = at_least_one(target.entering);
}

const Round& round_at(const Schedule& schedule, const Place& place) {
  return schedule.stages[place.stage].rounds[place.round];
}

/// Between which kinds of ends a rank sends and receives.
struct Kinds {
  std::array<bool, kMostChannels> inside{};
  bool leaving = false;
  bool entering = false;
};

}  // namespace

void append_bundles(const Schedule& schedule, const Place& place, const Pattern& pattern, Rank rank, Index v,
                    const NodeRanks& nodes, const ChannelMap& channels, std::vector<Bundle>& bundles) {
  Side(schedule, place, pattern, rank, true, nodes, channels, bundles)
      .append(pairs_from(pattern.pairs, v, place.iteration));
  Side(schedule, place, pattern, rank, false, nodes, channels, bundles)
      .append(pairs_to(pattern.pairs, v, place.iteration));
}

std::optional<Index> virtual_in(const Pattern& pattern, Rank rank, Index iteration) {
  return pair_count(pattern, iteration) > 0 ? virtual_of(pattern.numbering, rank) : std::nullopt;
}

VirtualRanks::VirtualRanks(const Round& round, Index iteration) : round_(round), virtuals_(round.patterns.size()) {
  for (const Pattern& pattern : round.patterns) {
    active_.push_back(pair_count(pattern, iteration) > 0);
    const auto first = std::find_if(round.patterns.begin(), round.patterns.end(),
                                    [&](const Pattern& other) { return other.numbering == pattern.numbering; });
    alike_.push_back(static_cast<std::size_t>(first - round.patterns.begin()));
  }
}

void VirtualRanks::take(Rank rank) {
  for (std::size_t i = 0; i < alike_.size(); ++i) {
    if (alike_[i] == i) {
      virtuals_[i] = virtual_of(round_.patterns[i].numbering, rank);
    }
  }
}

RoundLoads::RoundLoads(const Schedule& schedule, const Place& place, const NodeRanks& nodes, const ChannelMap& channels)
    : schedule_(schedule),
      place_(place),
      nodes_(nodes),
      channels_(channels),
      alike_(all_nodes_alike(round_at(schedule, place), place.iteration, nodes)),
      virtuals_(round_at(schedule, place), place.iteration) {}

void RoundLoads::share(Index source_node, Index target_node, TransferQuestion& question) const {
  if (source_node == target_node) {
    share_inside(at(source_node), question);
  } else {
    const NodeLoad& source = at(source_node);
    share_outside(source, at(target_node), question);
  }
}

const NodeLoad& RoundLoads::at(Index node) const {
  const Index asked = alike_ ? 0 : node;
  const auto found = loads_.find(asked);
  return found != loads_.end() ? found->second : loads_.emplace(asked, count(asked)).first->second;
}

NodeLoad RoundLoads::count(Index node) const {
  if (nodes_.is_single()) {
    return count_single();
  }
  NodeLoad load;
  const std::vector<Pattern>& patterns = round_at(schedule_, place_).patterns;
  nodes_.for_each(node, [&](Rank rank) {
    virtuals_.take(rank);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const auto v = virtuals_.in(i);
      if (v) {
        PatternCounter(place_, patterns[i], nodes_, channels_).count(rank, *v, load);
      }
    }
  });
  return load;
}

NodeLoad RoundLoads::count_single() const {
  NodeLoad load;
  for (const Pattern& pattern : round_at(schedule_, place_).patterns) {
    const Index count = pair_count(pattern, place_.iteration);
    const Pair first = count > 0 ? pair_at(pattern.pairs, 0, place_.iteration) : Pair{};
    const bool to_itself = first.source == first.target;
    load.inside[0] += to_itself ? 0 : count;
  }
  return load;
}

std::vector<OwnRound> own_rounds(const Schedule& schedule, std::size_t s, Rank rank,
                                 const std::vector<IterationClass>& classes) {
  const Stage& stage = schedule.stages[s];
  std::vector<OwnRound> own;
  for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
    std::vector<Index> iterations;
    bool all = false;
    for (const Pattern& pattern : stage.rounds[r].patterns) {
      const auto v = virtual_of(pattern.numbering, rank);
      if (!v) {
        continue;
      }
      const Index until = std::min(stage.iterations, pattern.active.end);  // a walk ends where its pattern does
      for (const IndexRange range :
           {iterations_from(pattern.pairs, *v, until), iterations_to(pattern.pairs, *v, until)}) {
        all = all || range.count > 1;
        if (range.count == 1) {
          iterations.push_back(range.first);
        }
      }
    }
    if (all) {
      for (const IterationClass& alike : classes) {
        own.push_back({{s, alike.representative, 0, r}, alike.count});
      }
      continue;
    }
    std::sort(iterations.begin(), iterations.end());
    iterations.erase(std::unique(iterations.begin(), iterations.end()), iterations.end());
    for (const Index t : iterations) {
      own.push_back({{s, t, 0, r}, 1});
    }
  }
  return own;
}

StageLoads::StageLoads(const Schedule& schedule, std::size_t stage, const std::vector<IterationClass>& classes,
                       const NodeRanks& nodes, const ChannelMap& channels)
    : schedule_(schedule), stage_(stage), classes_(classes), nodes_(nodes), channels_(channels) {}

void StageLoads::share(Index source_node, Index target_node, TransferQuestion& question) const {
  if (source_node == target_node) {
    share_inside(at(source_node), question);
  } else {
    const NodeLoad& source = at(source_node);
    share_outside(source, at(target_node), question);
  }
}

const NodeLoad& StageLoads::at(Index node) const {
  const auto found = loads_.find(node);
  return found != loads_.end() ? found->second : loads_.emplace(node, count(node)).first->second;
}

NodeLoad StageLoads::count(Index node) const {
  NodeLoad load;
  std::vector<Bundle> bundles;
  const auto count_rank = [&](Rank rank) {
    bundles.clear();
    for (const OwnRound& own : own_rounds(schedule_, stage_, rank, classes_)) {
      for (const Pattern& pattern : round_at(schedule_, own.place).patterns) {
        if (const auto v = virtual_in(pattern, rank, own.place.iteration)) {
          append_bundles(schedule_, own.place, pattern, rank, *v, nodes_, channels_, bundles);
        }
      }
    }
    Kinds kinds;
    for (const Bundle& bundle : bundles) {
      if (nodes_.node_of(bundle.source) == nodes_.node_of(bundle.target)) {
        kinds.inside[bundle.channel] = kinds.inside[bundle.channel] || bundle.sent;
      } else {
        (bundle.sent ? kinds.leaving : kinds.entering) = true;
      }
    }
    load.leaving += kinds.leaving ? 1 : 0;
    load.entering += kinds.entering ? 1 : 0;
    for (std::size_t channel = 0; channel < kMostChannels; ++channel) {
      load.inside[channel] += kinds.inside[channel] ? 1 : 0;
    }
  };
  nodes_.for_each(node, count_rank);
  return load;
}

}  // namespace postage
