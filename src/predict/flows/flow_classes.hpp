#pragma once

#include "predict/flows/fair_rates.hpp"
#include "predict/flows/flow_program.hpp"

#include <cstddef>
#include <map>
#include <unordered_map>
#include <vector>

namespace postage {

using NodePair = std::pair<int, int>;

/// What the messages of a program share on a platform: those that use the same of everything are one class of flows.
class FlowClasses {
 public:
  /// Of a message that shares nothing with others.
  static constexpr FlowClassId kNoClass = static_cast<FlowClassId>(-1);

  FlowClasses(const FlowProgram& program, const ChannelMap& channels, const Flow& model);

  [[nodiscard]] FlowClassId of(MessageId message) const { return class_of_[message]; }
  /// B/s: what a flow of the class can do alone.
  [[nodiscard]] double most(FlowClassId id) const { return most_[id]; }
  /// Of the message's ranks.
  [[nodiscard]] NodePair nodes_of(const FlowMessage& message) const {
    return {node_of(message.source), node_of(message.target)};
  }
  [[nodiscard]] std::size_t count() const { return known_classes_.size(); }
  [[nodiscard]] std::size_t messages() const { return class_of_.size(); }
  /// Bytes that the network adds to the message; no more than its latency has room for.
  [[nodiscard]] double envelope_of(const FlowMessage& message) const;
  /// All resources and classes, no flows.
  [[nodiscard]] const FairRates& rates() const { return rates_; }

 private:
  enum class Kind : std::uint8_t { kPair, kSender, kReceiver, kOut, kIn, kInside, kLink };
  struct ClassKey {
    double most = 0;
    double share = 1;
    NodePair nodes{};  ///< where penalties tell pairs of nodes apart
    std::vector<std::pair<ResourceId, double>> uses{};
    auto operator<=>(const ClassKey&) const = default;
  };

  FlowClassId class_of(const FlowMessage& message);
  /// What a message uses, into uses_.
  void find_uses(const FlowMessage& message);
  /// Of a host: each rail has limits of its own, over each channel.
  [[nodiscard]] std::uint64_t port_of(const FlowMessage& message, int from, int to) const;
  /// The links of the network between two nodes.
  void add_links(const FlowMessage& message, int from, int to, double share);
  /// In proportion to which messages that compete have rates: by the latency of the smallest between the two ranks,
  /// whatever protocols add to it.
  [[nodiscard]] double share_of(const FlowMessage& message) const;
  /// Messages whose protocols differ take different shares of the resource for a byte: its whole is one second a
  /// second. Without `slows_one` a message that nothing shares it with is as fast as alone: what many messages within
  /// a node do together, per byte, is more than what one does.
  void add(Kind kind, std::uint64_t first, std::uint64_t second, double seconds_per_byte, bool slows_one = true);
  [[nodiscard]] int node_of(Rank rank) const {
    return channels_.is_single() ? rank : channels_.mapping().placement_of(rank).node;
  }

  const ChannelMap& channels_;
  const Flow& model_;
  double path_seconds_per_byte_ = 0;  ///< of the links on the message's way, for a byte of the largest messages
  FairRates rates_;
  std::unordered_map<std::uint64_t, ResourceId> known_;
  std::map<ClassKey, FlowClassId> known_classes_;
  std::vector<FlowClassId> class_of_;  ///< [message]
  std::vector<double> most_;           ///< [class]
  std::vector<ResourceUse> uses_;
  std::unordered_map<std::uint64_t, std::uint64_t> link_numbers_;  ///< of the links of the network
  std::vector<LinkOnRoute> route_;
};

}  // namespace postage
