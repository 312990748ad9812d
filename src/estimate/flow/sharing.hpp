#pragma once

#include "estimate/flow/group_sharing.hpp"
#include "estimate/flow/host_rates.hpp"

#include <map>
#include <optional>
#include <string>

namespace postage {

/// What messages over a channel share, by the parameters' symbols.
using Limits = std::map<std::string, Estimate>;

/// True where the limit of that symbol lets no more through than `rate`, so that this says nothing new.
[[nodiscard]] bool is_within(const Limits& limits, const char* symbol, double rate);

/// How the messages of a channel's groups slowed one another down, at each size that groups were measured at.
class ChannelSharing {
 public:
  ChannelSharing(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel);

  /// B_node, B_send, B_receive for messages of these sizes, those that were seen: from the largest size of the range at
  /// which messages slowed one another down; where none of its sizes was measured, from the next larger one that was,
  /// else the next smaller one, but no less than one message alone reaches, `alone`, in bytes per second; none
  /// where that is infinite. Between nodes also x.
  [[nodiscard]] Limits limits_at(const SizeRange& range, double alone) const;

  /// The same at a host, where hosts differ; nothing where they do not, or within nodes. In proportion to the rates of
  /// their fastest messages.
  [[nodiscard]] Limits limits_of(int host) const;

  /// True where a group of messages of these sizes was measured whose bytes say something.
  [[nodiscard]] bool is_measured(const SizeRange& range) const;

 private:
  /// Rates of all messages together by size; nothing where they did not slow one another down.
  using Rates = std::map<Bytes, std::optional<double>>;

  [[nodiscard]] static std::optional<double> rate_at(const Rates& rates, const SizeRange& range, double alone);

  /// The rates of outcasts with even shares in the place of others'.
  void take_even(const Rates& even);

  /// A host's own links carry at least what one message reaches, and a node's what one of its ranks does, though
  /// messages of a group waited for one another elsewhere.
  void raise();

  std::map<ExperimentKind, Rates> rates_;
  std::map<ExperimentKind, int> hosts_;  ///< whose limits were seen
  std::optional<HostRates> host_rates_;
  bool is_between_nodes_;
  double reverse_share_ = 0;
};

}  // namespace postage
