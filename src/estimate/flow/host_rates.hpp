#pragma once

#include "estimate/flow/scope_fit.hpp"

#include <set>
#include <utility>
#include <vector>

namespace postage {

/// The outcasts of the largest messages that each host made in turn.
[[nodiscard]] std::vector<const Measurement*> largest_outcasts(const CampaignData& campaign);

/// Rates that differ by little from the next are of one class: its median. Those of 0 are not known.
[[nodiscard]] std::vector<double> in_classes(const std::vector<double>& rates);

/// The rate of the fastest message between a host and any other, for each host: what its own links carry at least; and
/// that of all that the host sent at once, where it was measured: links of the network may be slower than its own.
class HostRates {
 public:
  /// `fits` are those of the channel between nodes, each of a pair and of all that are like it, measured or not.
  HostRates(const CampaignData& campaign, const ChannelFits& fits);

  /// B/s, of messages of `bytes`; of the fastest of all hosts where none of the host's pairs was measured.
  [[nodiscard]] double fastest(int host, Bytes bytes) const;
  /// True where the largest messages are slower on some hosts than on others, whoever they talk to.
  [[nodiscard]] bool differ() const;
  /// The host's rate as a share of another's, for the largest messages.
  [[nodiscard]] double share(int host, int of) const;

 private:
  /// What a host sends at once, or its fastest message.
  [[nodiscard]] double carried(int host) const;
  void add_outcasts();
  void add(const ScopeFit& fit, int rank);
  void add_alike(const ScopeFit& fit, const PairData& pair);

  const CampaignData& campaign_;
  std::vector<std::vector<const ScopeFit*>> fits_;  ///< [host]
  std::vector<const ScopeFit*> all_;
  std::vector<double> at_once_;  ///< [host], B/s that it sent at once; 0 where that was not measured
  std::set<std::pair<const ScopeFit*, std::size_t>> seen_;  ///< with classes of pairs
};

}  // namespace postage
