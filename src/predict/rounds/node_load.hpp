#pragma once

#include "predict/rounds/iteration_classes.hpp"
#include "predict/rounds/pattern_messages.hpp"

#include <postage/model/transfer.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace postage {

/// Transfers that share what a node has: its memory, channel by channel, and its network card in both directions.
struct NodeLoad {
  std::array<Index, kMostChannels> inside{};
  Index leaving = 0;
  Index entering = 0;

  [[nodiscard]] Index all_inside() const {
    Index sum = 0;
    for (const Index count : inside) {
      sum += count;
    }
    return sum;
  }
};

/// The virtual rank of `rank` in a pattern; nothing where it takes no part in that iteration.
[[nodiscard]] std::optional<Index> virtual_in(const Pattern& pattern, Rank rank, Index iteration);

/// The virtual ranks that some ranks have in the patterns of a round, or of all rounds of a stage, most of which share
/// one numbering.
class VirtualRanks {
 public:
  static constexpr Index kNone = -1;

  VirtualRanks(const Round& round, Index iteration);
  VirtualRanks(const Stage& stage, Index iteration);

  /// O(ranks * numberings).
  void take(std::span<const Rank> ranks);
  /// False where pattern number `pattern`, counted through all rounds, has no pairs in the iteration.
  [[nodiscard]] bool is_active(std::size_t pattern) const { return active_[pattern]; }
  /// Of each rank taken; kNone, which is within nobody's reach, where it took no part.
  [[nodiscard]] const std::vector<Index>& in(std::size_t pattern) const { return virtuals_[alike_[pattern]]; }

  /// Calls visit(k, v) for each rank taken, the k-th with virtual rank v, that is within reach. O(log ranks) and those
  /// between the lowest and the highest where virtual ranks ascend with the ranks taken, else O(ranks).
  template <typename Visit>
  void for_each_within(std::size_t pattern, const formula::Reach& reach, const Visit& visit) const {
    const std::vector<Index>& virtuals = in(pattern);
    auto first = virtuals.begin();
    auto last = virtuals.end();
    if (ascending_[alike_[pattern]]) {
      first = std::lower_bound(first, last, reach.lowest);
      last = std::upper_bound(first, last, reach.highest);
    }
    for (; first != last; ++first) {
      if (reach.holds(*first)) {
        visit(static_cast<std::size_t>(first - virtuals.begin()), *first);
      }
    }
  }

 private:
  void add(const Round& round, Index iteration);

  std::vector<const Pattern*> patterns_;
  std::vector<bool> active_;
  std::vector<std::size_t> alike_;  ///< the first pattern of the same numbering
  std::vector<std::vector<Index>> virtuals_;
  std::vector<bool> ascending_;
};

/// Calls visit(bundle) for what `rank` sends and receives in a round (PatternMessages::for_each), if it takes part.
template <typename Visit>
void for_each_bundle(const Schedule& schedule, const RoundPosition& position, Rank rank, const NodeRanks& nodes,
                     const ChannelMap& channels, Bundling bundling, const Visit& visit) {
  for (const Pattern& pattern : schedule.stages[position.stage].rounds[position.round].patterns) {
    if (const auto v = virtual_in(pattern, rank, position.iteration)) {
      with_formula(pattern, [&](const auto& pairs) {
        PatternMessages(schedule, position, pattern, pairs, pattern.numbering, nodes, channels, bundling)
            .for_each(rank, *v, visit);
      });
    }
  }
}

/// A round in which a rank takes part, and how often.
struct OwnRound {
  RoundPosition position{};
  Index times = 1;
};

/// The rounds of a stage's first segment in which a rank takes part: of walks its own iterations only, else one of
/// each class of iterations.
[[nodiscard]] std::vector<OwnRound> own_rounds(const Schedule& schedule, std::size_t stage, Rank rank,
                                               const std::vector<IterationClass>& classes);

/// What some ranks send and receive for one segment of a stage, in all of its rounds.
class SegmentMessages {
 public:
  SegmentMessages(const Schedule& schedule, std::size_t stage, const std::vector<IterationClass>& classes,
                  const NodeRanks& nodes, const ChannelMap& channels, Bundling bundling)
      : schedule_(schedule),
        stage_(stage),
        classes_(classes),
        nodes_(nodes),
        channels_(channels),
        bundling_(bundling),
        virtuals_(schedule.stages[stage], 0) {}

  /// Calls visit(k, round, bundle, times) for each of the messages that ranks[k] has `times` times, round by round;
  /// `round` counts the rounds of all iterations.
  template <typename Visit>
  void for_each(std::span<const Rank> ranks, const Visit& visit) {
    if (schedule_.stages[stage_].iterations == 1) {
      for_each_pattern(ranks, visit);
      return;
    }
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      for (const OwnRound& own : own_rounds(schedule_, stage_, ranks[k], classes_)) {
        for_each_bundle(schedule_, own.position, ranks[k], nodes_, channels_, bundling_,
                        [&](const Bundle& bundle) { visit(k, number_of(own.position), bundle, own.times); });
      }
    }
  }

 private:
  /// Where the only iteration is everybody's.
  template <typename Visit>
  void for_each_pattern(std::span<const Rank> ranks, const Visit& visit) {
    virtuals_.take(ranks);
    std::size_t number = 0;
    const std::vector<Round>& rounds = schedule_.stages[stage_].rounds;
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      for (const Pattern& pattern : rounds[r].patterns) {
        if (virtuals_.is_active(number)) {
          for_each_in(number, pattern, {stage_, 0, 0, r}, ranks, visit);
        }
        ++number;
      }
    }
  }

  template <typename Visit>
  void for_each_in(std::size_t number, const Pattern& pattern, const RoundPosition& position,
                   std::span<const Rank> ranks, const Visit& visit) {
    with_formula(pattern, [&](const auto& pairs) {
      PatternMessages messages(schedule_, position, pattern, pairs, pattern.numbering, nodes_, channels_, bundling_);
      virtuals_.for_each_within(number, formula::reach_of(pairs, position.iteration), [&](std::size_t k, Index v) {
        messages.for_each(ranks[k], v, [&](const Bundle& bundle) { visit(k, number_of(position), bundle, Index{1}); });
      });
    });
  }

  [[nodiscard]] Index number_of(const RoundPosition& position) const {
    return position.iteration * static_cast<Index>(schedule_.stages[stage_].rounds.size()) +
           static_cast<Index>(position.round);
  }

  const Schedule& schedule_;
  std::size_t stage_;
  const std::vector<IterationClass>& classes_;
  const NodeRanks& nodes_;
  const ChannelMap& channels_;
  Bundling bundling_;
  VirtualRanks virtuals_;
};

/// The node whose load was asked for last, which mostly is the one asked for next.
struct Asked {
  Index node = 0;
  const NodeLoad* load = nullptr;
};

/// The loads of the nodes in one round, each counted when it is first asked for.
class RoundLoads {
 public:
  /// `ends_count_once`: transfers of one rank to or from several count as one, since they follow one another.
  RoundLoads(const Schedule& schedule, const RoundPosition& position, const NodeRanks& nodes,
             const ChannelMap& channels, bool ends_count_once = false);

  void share(Index source_node, Index target_node, TransferQuestion& question) const;
  /// What all_nodes_alike says of the round.
  [[nodiscard]] bool are_alike() const { return alike_; }
  /// True where the rank sends to another in the round. O(patterns).
  [[nodiscard]] bool sends(Rank rank) const;

 private:
  [[nodiscard]] const NodeLoad& at(Index node, Asked& last) const;
  [[nodiscard]] NodeLoad count(Index node) const;
  [[nodiscard]] NodeLoad count_single() const;

  const Schedule& schedule_;
  RoundPosition position_;
  const NodeRanks& nodes_;
  const ChannelMap& channels_;
  bool ends_count_once_;
  bool alike_;
  mutable VirtualRanks virtuals_;
  mutable std::vector<Rank> ranks_;  ///< of the node being counted
  mutable std::unordered_map<Index, NodeLoad> loads_;
  mutable Asked last_source_;
  mutable Asked last_target_;
};

/// The loads while all segments of a pipeline are under way: each rank sends to one other at a time, so that it counts
/// once for each kind of target that it has.
class StageLoads {
 public:
  StageLoads(const Schedule& schedule, std::size_t stage, const std::vector<IterationClass>& classes,
             const NodeRanks& nodes, const ChannelMap& channels);

  void share(Index source_node, Index target_node, TransferQuestion& question) const;
  /// True where the rank sends to another in any round of the stage. O(patterns).
  [[nodiscard]] bool sends(Rank rank) const;

 private:
  [[nodiscard]] const NodeLoad& at(Index node, Asked& last) const;
  [[nodiscard]] NodeLoad count(Index node) const;

  const Stage& of_stage_;
  const NodeRanks& nodes_;
  mutable SegmentMessages messages_;
  mutable std::vector<Rank> ranks_;  ///< of the node being counted
  mutable std::unordered_map<Index, NodeLoad> loads_;
  mutable Asked last_source_;
  mutable Asked last_target_;
};

}  // namespace postage
