#include "predict/node_load.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

/// More transfers than this of one rank in one pattern are bundled.
constexpr Index kFan = 4;

/// The pair of a pattern between two ranks.
std::optional<Index> pair_of_ranks(const Pattern& pattern, Rank source, Rank target, Index iteration) {
  const auto from = virtual_of(pattern.numbering, source);
  const auto to = virtual_of(pattern.numbering, target);
  return from && to ? pair_between(pattern.pairs, {*from, *to}, iteration) : std::nullopt;
}

ChannelId checked_channel(const ChannelMap& channels, Rank source, Rank target) {
  const ChannelId channel = channels.channel_of(source, target);
  if (channel >= kMostChannels) {
    throw Error(fmt::format("channel number {} is one too many; contention is followed on {} channels", channel,
                            kMostChannels));
  }
  return channel;
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

  void append(const PairIndices& pairs) {
    const bool even = schedule_.layout.has_formula() && !std::holds_alternative<DigitBlocks>(pattern_.blocks);
    if (pairs.count > kFan && even && !nodes_.is_explicit()) {
      append_fan(pairs);
      return;
    }
    for (Index k = 0; k < pairs.count; ++k) {
      append_one(transfer_at(schedule_, place_, pattern_, pairs.at(k)), 1);
    }
  }

 private:
  void append_one(const Transfer& transfer, Index count) {
    if (transfer.source != transfer.target && count > 0) {
      out_.push_back({transfer.source, transfer.target, checked_channel(channels_, transfer.source, transfer.target),
                      transfer.bytes, count, sent_});
    }
  }

  [[nodiscard]] Rank other_of(const Transfer& transfer) const { return sent_ ? transfer.target : transfer.source; }

  /// The pair in which `other` is at the other end.
  [[nodiscard]] std::optional<Index> pair_with(Rank other) const {
    return sent_ ? pair_of_ranks(pattern_, rank_, other, place_.iteration)
                 : pair_of_ranks(pattern_, other, rank_, place_.iteration);
  }

  void append_fan(const PairIndices& pairs) {
    if (nodes_.is_single()) {
      append_one(transfer_at(schedule_, place_, pattern_, pairs.at(0)), pairs.count);
      return;
    }
    Index rest = pairs.count;
    nodes_.for_each(nodes_.node_of(rank_), [&](Rank other) {
      if (const auto i = pair_with(other)) {
        append_one(transfer_at(schedule_, place_, pattern_, *i), 1);
        --rest;
      }
    });
    for (Index k = 0; rest > 0 && k < pairs.count; ++k) {
      const Transfer transfer = transfer_at(schedule_, place_, pattern_, pairs.at(k));
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

/// Counts one pattern's transfers of one rank into its node's load.
class PatternCounter {
 public:
  PatternCounter(const Schedule& schedule, const Place& place, const Pattern& pattern, const NodeRanks& nodes,
                 const ChannelMap& channels)
      : schedule_(schedule), place_(place), pattern_(pattern), nodes_(nodes), channels_(channels) {}

  void count(Rank rank, NodeLoad& load) const {
    const auto v = virtual_of(pattern_.numbering, rank);
    if (!v || pair_count(pattern_, place_.iteration) == 0) {
      return;
    }
    const PairIndices from = pairs_from(pattern_.pairs, *v, place_.iteration);
    load.leaving += from.count;
    load.entering += pairs_to(pattern_.pairs, *v, place_.iteration).count;
    if (from.count > kFan) {
      nodes_.for_each(nodes_.node_of(rank), [&](Rank other) {
        if (const auto i = pair_of_ranks(pattern_, rank, other, place_.iteration)) {
          tell(*i, load);
        }
      });
      return;
    }
    for (Index k = 0; k < from.count; ++k) {
      tell(from.at(k), load);
    }
  }

 private:
  /// A transfer inside the node was taken for one that leaves and one that enters.
  void tell(Index i, NodeLoad& load) const {
    const Pair pair = pair_at(pattern_.pairs, i, place_.iteration);
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

  const Schedule& schedule_;
  const Place& place_;
  const Pattern& pattern_;
  const NodeRanks& nodes_;
  const ChannelMap& channels_;
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

void append_bundles(const Schedule& schedule, const Place& place, const Pattern& pattern, Rank rank,
                    const NodeRanks& nodes, const ChannelMap& channels, std::vector<Bundle>& bundles) {
  const auto v = virtual_of(pattern.numbering, rank);
  if (!v || pair_count(pattern, place.iteration) == 0) {
    return;
  }
  Side(schedule, place, pattern, rank, true, nodes, channels, bundles)
      .append(pairs_from(pattern.pairs, *v, place.iteration));
  Side(schedule, place, pattern, rank, false, nodes, channels, bundles)
      .append(pairs_to(pattern.pairs, *v, place.iteration));
}

RoundLoads::RoundLoads(const Schedule& schedule, const Place& place, const NodeRanks& nodes, const ChannelMap& channels)
    : schedule_(schedule),
      place_(place),
      nodes_(nodes),
      channels_(channels),
      alike_(all_nodes_alike(round_at(schedule, place), place.iteration, nodes)) {}

void RoundLoads::share(Index source_node, Index target_node, TransferQuestion& question) const {
  if (source_node == target_node) {
    share_inside(at(source_node), question);
  } else {
    const NodeLoad source = at(source_node);
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
  for (const Pattern& pattern : round_at(schedule_, place_).patterns) {
    const PatternCounter counter(schedule_, place_, pattern, nodes_, channels_);
    nodes_.for_each(node, [&](Rank rank) { counter.count(rank, load); });
  }
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
      for (const IndexRange range :
           {iterations_from(pattern.pairs, *v, stage.iterations), iterations_to(pattern.pairs, *v, stage.iterations)}) {
        all = all || range.count == stage.iterations;
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
    const NodeLoad source = at(source_node);
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
        append_bundles(schedule_, own.place, pattern, rank, nodes_, channels_, bundles);
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
