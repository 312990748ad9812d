#pragma once

#include "predict/protocol_cost.hpp"

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

#include <array>
#include <optional>

namespace postage {

/// What messages cost that share nothing. Most messages of a collective are alike: what they cost is computed once.
class TransferCosts {
 public:
  TransferCosts(const ChannelMap& channels, const Model& model);

  /// The model's; null where it has none.
  [[nodiscard]] const FanLimits* fan_limits() const { return model_.fan_limits(); }
  /// The channel between two ranks. Throws Error where the platform has none.
  [[nodiscard]] ChannelId channel_of(Rank source, Rank target);
  /// With its protocol's messages, and the time that the target takes to combine the data with its own, where it does.
  [[nodiscard]] const TransferCost& of(Rank source, Rank target, ChannelId channel, Bytes bytes,
                                       const TransferForm& form);
  /// Some message so far keeps others from its target's port for a while.
  [[nodiscard]] bool has_gaps() const { return has_gaps_; }

 private:
  struct Known {
    ChannelId channel = 0;
    Bytes bytes = -1;
    TransferForm form{};
    TransferCost cost{};
  };
  static constexpr std::size_t kKnown = 64;

  [[nodiscard]] bool share_a_node(Rank a, Rank b) const;
  [[nodiscard]] TransferCost compute(const TransferQuestion& question, const TransferForm& form);

  const ChannelMap& channels_;
  const Model& model_;
  bool by_ranks_;
  bool has_gaps_ = false;
  std::optional<ChannelId> between_nodes_{};
  std::array<Known, kKnown> known_;
};

}  // namespace postage
