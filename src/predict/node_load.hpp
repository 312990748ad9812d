#pragma once

#include "predict/neighbourhood.hpp"

#include <postage/model/transfer.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace postage {

/// Channels inside a node that can be told apart.
inline constexpr std::size_t kMostChannels = 8;

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

/// Some equal messages between one rank and others: `count` of them, of which one goes from source to target.
struct Bundle {
  Rank source = 0;
  Rank target = 0;
  ChannelId channel = 0;
  Bytes bytes = 0;
  Index count = 1;
  bool sent = true;       ///< else received
  bool combined = false;  ///< the receiver combines them with its own
};

/// The virtual rank of `rank` in a pattern; nothing where it takes no part in that iteration.
[[nodiscard]] std::optional<Index> virtual_in(const Pattern& pattern, Rank rank, Index iteration);

/// The virtual ranks that one rank has in the patterns of a round, most of which share one numbering.
class VirtualRanks {
 public:
  VirtualRanks(const Round& round, Index iteration);

  void take(Rank rank);
  /// Nothing where pattern number `pattern` has no pairs in the iteration, or the rank taken no part in it.
  [[nodiscard]] std::optional<Index> in(std::size_t pattern) const {
    return active_[pattern] ? virtuals_[alike_[pattern]] : std::nullopt;
  }

 private:
  const Round& round_;
  std::vector<bool> active_;
  std::vector<std::size_t> alike_;  ///< the first pattern of the same numbering
  std::vector<std::optional<Index>> virtuals_;
};

/// Appends what `rank`, virtual rank v of a pattern, sends and receives of it. Where one rank sends to many or receives
/// from many, those come in bundles, one for each channel: O(ranks a node) however many they are; all others one by
/// one. Transfers to itself are left out.
void append_bundles(const Schedule& schedule, const Place& place, const Pattern& pattern, Rank rank, Index v,
                    const NodeRanks& nodes, const ChannelMap& channels, std::vector<Bundle>& bundles);

/// The loads of the nodes in one round, each counted when it is first asked for.
class RoundLoads {
 public:
  RoundLoads(const Schedule& schedule, const Place& place, const NodeRanks& nodes, const ChannelMap& channels);

  void share(Index source_node, Index target_node, TransferQuestion& question) const;

 private:
  [[nodiscard]] const NodeLoad& at(Index node) const;
  [[nodiscard]] NodeLoad count(Index node) const;
  [[nodiscard]] NodeLoad count_single() const;

  const Schedule& schedule_;
  Place place_;
  const NodeRanks& nodes_;
  const ChannelMap& channels_;
  bool alike_;
  mutable VirtualRanks virtuals_;
  mutable std::unordered_map<Index, NodeLoad> loads_;
};

/// The loads while all segments of a pipeline are under way: each rank sends to one other at a time, so that it counts
/// once for each kind of target that it has.
class StageLoads {
 public:
  StageLoads(const Schedule& schedule, std::size_t stage, const std::vector<IterationClass>& classes,
             const NodeRanks& nodes, const ChannelMap& channels);

  void share(Index source_node, Index target_node, TransferQuestion& question) const;

 private:
  [[nodiscard]] const NodeLoad& at(Index node) const;
  [[nodiscard]] NodeLoad count(Index node) const;

  const Schedule& schedule_;
  std::size_t stage_;
  const std::vector<IterationClass>& classes_;
  const NodeRanks& nodes_;
  const ChannelMap& channels_;
  mutable std::unordered_map<Index, NodeLoad> loads_;
};

/// A round in which a rank takes part, and how often.
struct OwnRound {
  Place place{};
  Index times = 1;
};

/// The rounds of a stage's first segment in which a rank takes part: of walks its own iterations only, else one of
/// each class of iterations.
[[nodiscard]] std::vector<OwnRound> own_rounds(const Schedule& schedule, std::size_t stage, Rank rank,
                                               const std::vector<IterationClass>& classes);

}  // namespace postage
