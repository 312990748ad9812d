#pragma once

#include "predict/flows/fair_rates.hpp"
#include "predict/flows/flow_program.hpp"

#include <unordered_map>

namespace postage {

/// What messages share on a platform, made when the first message needs it.
class FlowResources {
 public:
  explicit FlowResources(const ChannelMap& channels) : channels_(channels) {}

  /// What a message uses, into `uses`.
  void find(const FlowMessage& message, FairRates& rates, std::vector<ResourceUse>& uses);

 private:
  enum class Kind : std::uint8_t { kPair, kSender, kReceiver, kOut, kIn, kInside };

  /// Messages whose protocols differ take different shares of the resource for a byte: its whole is one second a
  /// second.
  void add(Kind kind, std::uint64_t first, std::uint64_t second, double seconds_per_byte, FairRates& rates,
           std::vector<ResourceUse>& uses);
  [[nodiscard]] int node_of(Rank rank) const {
    return channels_.is_single() ? rank : channels_.mapping().placement_of(rank).node;
  }

  const ChannelMap& channels_;
  std::unordered_map<std::uint64_t, ResourceId> known_;
};

}  // namespace postage
