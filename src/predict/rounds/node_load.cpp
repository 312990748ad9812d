#include "predict/rounds/node_load.hpp"

#include "predict/round_symmetry.hpp"
#include "predict/rounds/fans.hpp"

#include <algorithm>
#include <type_traits>

namespace postage {
namespace {

/// Counts the transfers that one pattern, whose pairs are of a known kind, gives one node. Each transfer
/// inside a node is told from the side where it is one of the fewer: its source's or its target's.
template <typename PairFormula>
class PatternCounter {
 public:
  PatternCounter(Index iteration, const PairFormula& pairs, const Numbering& numbering, const NodeRanks& nodes,
                 const ChannelMap& channels)
      : iteration_(iteration),
        pairs_(pairs),
        numbering_(numbering),
        nodes_(nodes),
        channels_(channels),
        near_(pairs, numbering, iteration, nodes) {}

  /// Those of `rank`, virtual rank v, on `node`.
  void count(Index node, Rank rank, Index v, NodeLoad& load) const {
    const PairIndices from = formula::sources_of(pairs_, v, iteration_);
    const PairIndices to = formula::targets_of(pairs_, v, iteration_);
    load.leaving += from.count;
    load.entering += to.count;
    const PairIndices& told = told_by_target() ? to : from;
    if (told.count > kFan) {
      count_near(node, rank, v, load);
      return;
    }
    for (Index k = 0; k < told.count; ++k) {
      const Index w = told_by_target() ? formula::source_of(pairs_, v, told, k, iteration_)
                                       : formula::target_of(pairs_, v, told, k, iteration_);
      const auto other = static_cast<Rank>(rank_of(numbering_, w));
      if (nodes_.node_of(other) == node) {
        told_by_target() ? move_inside(other, rank, load) : move_inside(rank, other, load);
      }
    }
  }

 private:
  /// One rank sends to all others.
  [[nodiscard]] bool told_by_target() const {
    if constexpr (std::is_same_v<PairFormula, AffinePairs>) {
      return pairs_.source_stride == 0;
    }
    return false;
  }

  /// Of a rank that sends to many.
  void count_near(Index node, Rank rank, Index v, NodeLoad& load) const {
    near_.for_each(rank, node, true, [&](Rank other) {
      const auto w = virtual_of(numbering_, other);
      if (w && formula::between(pairs_, {v, *w}, iteration_)) {
        move_inside(rank, other, load);
      }
    });
  }

  /// A transfer inside the node was taken for one that leaves and one that enters.
  void move_inside(Rank source, Rank target, NodeLoad& load) const {
    --load.leaving;
    --load.entering;
    if (source != target) {
      ++load.inside[checked_channel(channels_, source, target)];
    }
  }

  Index iteration_;
  const PairFormula& pairs_;
  const Numbering& numbering_;
  const NodeRanks& nodes_;
  const ChannelMap& channels_;
  NearRanks<PairFormula> near_;
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
  question.opposing = static_cast<double>(std::max(source.entering, target.leaving));
  question.sending_concurrency = at_least_one(source.all_inside() + source.leaving);
  question.receiving_concurrency = at_least_one(target.entering);
}

const Round& round_at(const Schedule& schedule, const RoundPosition& position) {
  return schedule.stages[position.stage].rounds[position.round];
}

/// Between which kinds of ends a rank sends and receives.
struct Kinds {
  std::array<bool, kMostChannels> inside{};
  bool leaving = false;
  bool entering = false;
};

}  // namespace

std::optional<Index> virtual_in(const Pattern& pattern, Rank rank, Index iteration) {
  return pair_count(pattern, iteration) > 0 ? virtual_of(pattern.numbering, rank) : std::nullopt;
}

VirtualRanks::VirtualRanks(const Round& round, Index iteration) {
  add(round, iteration);
  virtuals_.resize(patterns_.size());
  ascending_.resize(patterns_.size());
}

VirtualRanks::VirtualRanks(const Stage& stage, Index iteration) {
  for (const Round& round : stage.rounds) {
    add(round, iteration);
  }
  virtuals_.resize(patterns_.size());
  ascending_.resize(patterns_.size());
}

void VirtualRanks::add(const Round& round, Index iteration) {
  for (const Pattern& pattern : round.patterns) {
    patterns_.push_back(&pattern);
    active_.push_back(pair_count(pattern, iteration) > 0);
    const auto first = std::find_if(patterns_.begin(), patterns_.end(),
                                    [&](const Pattern* other) { return other->numbering == pattern.numbering; });
    alike_.push_back(static_cast<std::size_t>(first - patterns_.begin()));
  }
}

void VirtualRanks::take(std::span<const Rank> ranks) {
  for (std::size_t i = 0; i < alike_.size(); ++i) {
    if (alike_[i] != i) {
      continue;
    }
    virtuals_[i].resize(ranks.size());
    std::visit(
        [&](const auto& numbering) {
          std::transform(ranks.begin(), ranks.end(), virtuals_[i].begin(),
                         [&](Rank rank) { return formula::preimage(numbering, rank).value_or(kNone); });
        },
        patterns_[i]->numbering);
    ascending_[i] = std::is_sorted(virtuals_[i].begin(), virtuals_[i].end());
  }
}

RoundLoads::RoundLoads(const Schedule& schedule, const RoundPosition& position, const NodeRanks& nodes,
                       const ChannelMap& channels, bool ends_count_once)
    : schedule_(schedule),
      position_(position),
      nodes_(nodes),
      channels_(channels),
      ends_count_once_(ends_count_once),
      alike_(all_nodes_alike(round_at(schedule, position), position.iteration, nodes)),
      virtuals_(round_at(schedule, position), position.iteration) {}

void RoundLoads::share(Index source_node, Index target_node, TransferQuestion& question) const {
  if (source_node == target_node) {
    share_inside(at(source_node, last_source_), question);
  } else {
    share_outside(at(source_node, last_source_), at(target_node, last_target_), question);
  }
}

const NodeLoad& RoundLoads::at(Index node, Asked& last) const {
  const Index asked = alike_ ? 0 : node;
  if (last.load == nullptr || last.node != asked) {
    const auto found = loads_.find(asked);
    last = {asked, found != loads_.end() ? &found->second : &loads_.emplace(asked, count(asked)).first->second};
  }
  return *last.load;
}

NodeLoad RoundLoads::count(Index node) const {
  if (nodes_.is_single()) {
    return count_single();
  }
  ranks_.clear();
  nodes_.for_each(node, [&](Rank rank) { ranks_.push_back(rank); });
  virtuals_.take(ranks_);
  NodeLoad load;
  const std::vector<Pattern>& patterns = round_at(schedule_, position_).patterns;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (!virtuals_.is_active(i)) {
      continue;
    }
    with_formula(patterns[i], [&](const auto& pairs) {
      const PatternCounter counter(position_.iteration, pairs, patterns[i].numbering, nodes_, channels_);
      NodeLoad own;
      virtuals_.for_each_within(i, formula::reach_of(pairs, position_.iteration),
                                [&](std::size_t k, Index v) { counter.count(node, ranks_[k], v, own); });
      add_fans(load, own, ends_count_once_ ? fan_of(patterns[i]) : 1);
    });
  }
  return load;
}

NodeLoad RoundLoads::count_single() const {
  NodeLoad load;
  for (const Pattern& pattern : round_at(schedule_, position_).patterns) {
    const Index count = pair_count(pattern, position_.iteration);
    const Pair first = count > 0 ? pair_at(pattern.pairs, 0, position_.iteration) : Pair{};
    const bool to_itself = first.source == first.target;
    NodeLoad own;
    own.inside[0] = to_itself ? 0 : count;
    add_fans(load, own, ends_count_once_ ? fan_of(pattern) : 1);
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
    : of_stage_(schedule.stages[stage]),
      nodes_(nodes),
      messages_(schedule, stage, classes, nodes, channels, Bundling::kByChannel) {}

void StageLoads::share(Index source_node, Index target_node, TransferQuestion& question) const {
  if (source_node == target_node) {
    share_inside(at(source_node, last_source_), question);
  } else {
    share_outside(at(source_node, last_source_), at(target_node, last_target_), question);
  }
}

const NodeLoad& StageLoads::at(Index node, Asked& last) const {
  if (last.load == nullptr || last.node != node) {
    const auto found = loads_.find(node);
    last = {node, found != loads_.end() ? &found->second : &loads_.emplace(node, count(node)).first->second};
  }
  return *last.load;
}

NodeLoad StageLoads::count(Index node) const {
  ranks_.clear();
  nodes_.for_each(node, [&](Rank rank) { ranks_.push_back(rank); });
  std::vector<Kinds> kinds(ranks_.size());
  messages_.for_each(ranks_, [&](std::size_t k, Index /*round*/, const Bundle& bundle, Index /*times*/) {
    if (bundle.source_node == bundle.target_node) {
      kinds[k].inside[bundle.channel] = kinds[k].inside[bundle.channel] || bundle.sent;
    } else {
      (bundle.sent ? kinds[k].leaving : kinds[k].entering) = true;
    }
  });
  NodeLoad load;
  for (const Kinds& of_rank : kinds) {
    load.leaving += of_rank.leaving ? 1 : 0;
    load.entering += of_rank.entering ? 1 : 0;
    for (std::size_t channel = 0; channel < kMostChannels; ++channel) {
      load.inside[channel] += of_rank.inside[channel] ? 1 : 0;
    }
  }
  return load;
}

}  // namespace postage
