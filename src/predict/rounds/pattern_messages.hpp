#pragma once

#include "predict/node_ranks.hpp"
#include "predict/protocol_cost.hpp"

#include <postage/base/error.hpp>
#include <postage/model/transfer.hpp>
#include <postage/schedule/patterns/numbering_formulas.hpp>
#include <postage/schedule/patterns/pair_formulas.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

namespace postage {

/// More transfers than this of one rank in one pattern are bundled.
inline constexpr Index kFan = 4;

/// Calls use(pairs) with the kind of pairs that a pattern has, so that a loop inside needs not choose again.
template <typename Use>
void with_formula(const Pattern& pattern, const Use& use) {
  std::visit(use, pattern.pairs);
}

/// Throws Error where there are more channels than contention is followed on.
[[nodiscard]] inline ChannelId checked_channel(const ChannelMap& channels, Rank source, Rank target) {
  const ChannelId channel = channels.channel_of(source, target);
  if (channel >= kMostChannels) {
    throw Error(fmt::format("channel number {} is one too many; contention is followed on {} channels", channel,
                            kMostChannels));
  }
  return channel;
}

/// Which of a rank's messages may stand for others: those over one channel, or none, where parameters are of single
/// ranks.
enum class Bundling { kByChannel, kNone };

/// Some equal messages between one rank and others: `count` of them, of which one goes from source to target.
struct Bundle {
  Rank source = 0;
  Rank target = 0;
  Index source_node = 0;
  Index target_node = 0;
  ChannelId channel = 0;
  Bytes bytes = 0;
  Index count = 1;
  Index repeats = 1;  ///< so many bundles like this one follow one another
  bool sent = true;   ///< else received
  TransferForm form{};
};

/// Of one pattern in one iteration, whose pairs are of a known kind: which other ranks on a rank's node
/// could be partners of it.
template <typename PairFormula>
class NearRanks {
 public:
  NearRanks(const PairFormula& pairs, const Numbering& numbering, Index iteration, const NodeRanks& nodes)
      : pairs_(pairs), numbering_(numbering), iteration_(iteration), nodes_(nodes) {}

  /// Calls visit(other) for the ranks on `node` among which all are to which `rank` sends, or from which it receives.
  template <typename Visit>
  void for_each(Rank rank, Index node, bool sent, const Visit& visit) const {
    if constexpr (std::is_same_v<PairFormula, ShiftPairs>) {
      const auto* linear = std::get_if<LinearNumbering>(&numbering_);
      if (linear != nullptr && pairs_.stride == 1 && linear->stride == 1 && linear->ranks == nodes_.ranks() &&
          linear->base == 0) {
        const Index nearest = pairs_.first + iteration_ * pairs_.step;
        const Index first = sent ? rank + nearest : rank - nearest - pairs_.distances + 1;
        nodes_.for_each_on_arc(node, first, pairs_.distances, visit);
        return;
      }
    }
    nodes_.for_each(node, visit);
  }

 private:
  const PairFormula& pairs_;
  const Numbering& numbering_;
  Index iteration_;
  const NodeRanks& nodes_;
};

/// The messages of one pattern in one round, rank by rank.
template <typename PairFormula>
class PatternMessages {
 public:
  /// `apart`: ranks that no other is like; all others on other nodes than a rank's own are alike to it. Null where
  /// each may be unlike.
  PatternMessages(const Schedule& schedule, const RoundPosition& position, const Pattern& pattern,
                  const PairFormula& pairs, const Numbering& numbering, const NodeRanks& nodes,
                  const ChannelMap& channels, Bundling bundling, const std::vector<Rank>* apart = nullptr)
      : schedule_(schedule),
        position_(position),
        pattern_(pattern),
        pairs_(pairs),
        numbering_(numbering),
        nodes_(nodes),
        channels_(channels),
        near_(pairs, numbering, position.iteration, nodes),
        bytes_(common_bytes(schedule, position, pattern)),
        apart_(apart),
        bundles_(bundling == Bundling::kByChannel && schedule.layout.has_formula() && !nodes.is_explicit()) {}

  /// Calls visit(bundle) for what `rank`, virtual rank v, sends and receives. Where it sends to many or receives from
  /// many, those come in bundles, one for each channel: O(ranks a node) however many they are; or, of shifts, in runs
  /// of bundles to or from ranks that are alike: O(n log n) for n ranks apart and on its node; all others one by one.
  /// Transfers to itself are left out.
  template <typename Visit>
  void for_each(Rank rank, Index v, const Visit& visit) {
    visit_side<true>(rank, v, formula::sources_of(pairs_, v, position_.iteration), visit);
    visit_side<false>(rank, v, formula::targets_of(pairs_, v, position_.iteration), visit);
  }

 private:
  template <bool kSent, typename Visit>
  void visit_side(Rank rank, Index v, const PairIndices& own, const Visit& visit) {
    if (own.count > kFan && bundles_) {
      visit_fan<kSent>(rank, v, own, visit);
      return;
    }
    if constexpr (std::is_same_v<PairFormula, ShiftPairs>) {
      if (own.count > kFan && apart_ != nullptr && bytes_) {
        visit_runs<kSent>(rank, v, own, visit);
        return;
      }
    }
    for (Index k = 0; k < own.count; ++k) {
      visit_one<kSent>(rank, pair_of<kSent>(v, own, k), 1, visit);
    }
  }

  /// The k-th of a virtual rank's own pairs on one side.
  template <bool kSent>
  [[nodiscard]] Pair pair_of(Index v, const PairIndices& own, Index k) const {
    return kSent ? Pair{v, formula::target_of(pairs_, v, own, k, position_.iteration)}
                 : Pair{formula::source_of(pairs_, v, own, k, position_.iteration), v};
  }

  /// The numbers of a rank's pairs with ranks apart and on its node, itself included, ascending.
  template <bool kSent>
  [[nodiscard]] std::vector<Index> pairs_apart(Rank rank, Index v) const {
    std::vector<Index> found;
    const auto add = [&](Rank other) {
      const auto w = virtual_of(numbering_, other);
      const Index distance = w ? (kSent ? *w - v : v - *w) : 0;
      const auto k = w ? formula::solve(pairs_.first + position_.iteration * pairs_.step, pairs_.stride, distance,
                                        pairs_.ranks, pairs_.distances)
                       : std::nullopt;
      if (k) {
        found.push_back(*k);
      }
    };
    std::for_each(apart_->begin(), apart_->end(), add);
    nodes_.for_each(nodes_.node_of(rank), add);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  template <bool kSent, typename Visit>
  void visit_runs(Rank rank, Index v, const PairIndices& own, const Visit& visit) {
    const auto visit_run = [&](Index first, Index end) {
      if (first < end) {
        visit_one<kSent>(rank, pair_of<kSent>(v, own, first), 1, [&](Bundle bundle) {
          bundle.repeats = end - first;
          visit(bundle);
        });
      }
    };
    Index next = 0;
    for (const Index k : pairs_apart<kSent>(rank, v)) {
      visit_run(next, k);
      visit_run(k, k + 1);
      next = k + 1;
    }
    visit_run(next, own.count);
  }

  template <bool kSent, typename Visit>
  void visit_one(Rank rank, const Pair& pair, Index count, const Visit& visit) {
    const Rank other = other_of<kSent>(pair);
    if (other == rank || count == 0) {
      return;
    }
    Bundle bundle{.source = kSent ? rank : other,
                  .target = kSent ? other : rank,
                  .bytes = bytes_of(pair),
                  .count = count,
                  .sent = kSent,
                  .form = form_of(pattern_)};
    bundle.source_node = nodes_.node_of(bundle.source);
    bundle.target_node = nodes_.node_of(bundle.target);
    bundle.channel = channel_of(bundle);
    visit(bundle);
  }

  /// Mostly all messages between nodes have the same.
  [[nodiscard]] ChannelId channel_of(const Bundle& bundle) {
    if (bundle.source_node == bundle.target_node || !channels_.has_one_network()) {
      return checked_channel(channels_, bundle.source, bundle.target);
    }
    if (!between_nodes_) {
      between_nodes_ = checked_channel(channels_, bundle.source, bundle.target);
    }
    return *between_nodes_;
  }

  template <bool kSent>
  [[nodiscard]] Rank other_of(const Pair& pair) const {
    return static_cast<Rank>(rank_of(numbering_, kSent ? pair.target : pair.source));
  }

  [[nodiscard]] Bytes bytes_of(const Pair& pair) const {
    return bytes_ ? *bytes_ : bytes_at(schedule_, position_, pattern_, {pair.source, pair.target, position_.iteration});
  }

  template <bool kSent, typename Visit>
  void visit_fan(Rank rank, Index v, const PairIndices& own, const Visit& visit) {
    if (nodes_.is_single()) {
      visit_one<kSent>(rank, pair_of<kSent>(v, own, 0), own.count, visit);
      return;
    }
    const Index node = nodes_.node_of(rank);
    Index rest = own.count;
    near_.for_each(rank, node, kSent, [&](Rank other) {
      const auto w = virtual_of(numbering_, other);
      const Pair pair = kSent ? Pair{v, w.value_or(0)} : Pair{w.value_or(0), v};
      if (w && formula::between(pairs_, pair, position_.iteration)) {
        visit_one<kSent>(rank, pair, 1, visit);
        --rest;
      }
    });
    for (Index k = 0; rest > 0 && k < own.count; ++k) {
      const Pair pair = pair_of<kSent>(v, own, k);
      if (nodes_.node_of(other_of<kSent>(pair)) != node) {
        visit_one<kSent>(rank, pair, rest, visit);
        return;
      }
    }
  }

  const Schedule& schedule_;
  const RoundPosition& position_;
  const Pattern& pattern_;
  const PairFormula& pairs_;
  const Numbering& numbering_;
  const NodeRanks& nodes_;
  const ChannelMap& channels_;
  NearRanks<PairFormula> near_;
  std::optional<Bytes> bytes_;
  std::optional<ChannelId> between_nodes_{};
  const std::vector<Rank>* apart_;
  bool bundles_;  ///< all blocks and nodes have formulas, and all messages over a channel cost the same
};

}  // namespace postage
