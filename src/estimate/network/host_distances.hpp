#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace postage {

/// Bytes that networks add to each message, at most, and how finely they are looked for.
inline constexpr int kMostEnvelope = 128;
inline constexpr int kEnvelopeStep = 8;

/// How far hosts are from one another: what the smallest messages take between them beside what their processors do.
class HostDistances {
 public:
  /// Networks add an envelope of so many bytes to each message; by default, of those up to kMostEnvelope, the one that
  /// leaves the fewest distances: its bytes take longer where links are slower.
  explicit HostDistances(const CampaignData& campaign, std::optional<int> envelope = {});
  /// By what large messages take between two hosts while nothing else moves, as a multiple of what they take between
  /// most: hosts of one switch are near to one another where cables between switches are slower than theirs.
  [[nodiscard]] static HostDistances by_large_messages(const CampaignData& campaign);
  /// Of these latencies, [host * hosts + host]; negative ones are not known.
  HostDistances(std::size_t hosts, std::vector<double> latencies, double noise);

  [[nodiscard]] int hosts() const { return static_cast<int>(hosts_); }
  /// Latencies that noise explains are of one distance, 0 for the nearest; -1 where none is known.
  [[nodiscard]] int between(int a, int b) const { return distance_[index(a, b)]; }
  /// Seconds; negative where it is not known.
  [[nodiscard]] double latency(int a, int b) const { return latency_[index(a, b)]; }
  /// Number of distances.
  [[nodiscard]] int count() const { return count_; }

 private:
  [[nodiscard]] std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * hosts_ + static_cast<std::size_t>(b);
  }
  void take_off_envelopes(const std::vector<double>& seconds_per_byte, double noise, std::optional<int> envelope);
  void sort_by_distance(double noise);

  std::size_t hosts_;
  std::vector<double> latency_;
  std::vector<int> distance_;
  int count_ = 0;
};

/// A level of groups of hosts, [group], each ascending.
using HostPartition = std::vector<std::vector<int>>;

/// Hosts that are no further from one another than some distance, for each distance at which that makes groups, each
/// with all that are so near: the nearest first. Every partition has more than one group, and fewer than the one
/// before. Groups of one host are none. Nothing for tori and meshes, where nearness joins hosts in chains.
[[nodiscard]] std::vector<HostPartition> nested_groups(const HostDistances& distances);

}  // namespace postage
