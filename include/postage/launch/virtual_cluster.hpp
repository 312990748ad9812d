#pragma once

#include <postage/base/units.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace postage {

/// The truth about one simulated host: a message of m bytes keeps it busy for overhead + m*per_byte.
struct VirtualHost {
  Seconds overhead = 0;  ///< C_i in LMO
  double per_byte = 0;   ///< t_i in LMO
};

/// A simulated cluster whose every cost is known. A message of m bytes from i to j takes
/// C_i + t_i*m + latency_ij + (m + 16)/bandwidth_ij + C_j + t_j*m: SMPI adds an envelope of 16 bytes on the wire.
struct VirtualCluster {
  std::string name;
  std::vector<VirtualHost> hosts;
  std::vector<Seconds> latency;   ///< [i * n + j], symmetric; [i * n + i] that of a host's memory
  std::vector<double> bandwidth;  ///< bytes per second, [i * n + j], symmetric; [i * n + i] that of a host's memory
  /// More than one share their host's memory, and its network interface in each direction: tau transfers at once get a
  /// tau-th of it each. Then all hosts are alike.
  std::size_t ranks_per_host = 1;
  /// "M_1 M_2 SECONDS SHARE ...": messages of M_1 to M_2 bytes from several hosts to one meet TCP's time-outs; empty
  /// for none. See src/launch/noise.cpp.
  std::string escalations{};
  /// Larger messages keep their sender until they are received; without it none does.
  std::optional<Bytes> largest_eager{};

  /// Number of hosts.
  [[nodiscard]] std::size_t size() const { return hosts.size(); }
  [[nodiscard]] std::size_t capacity() const { return hosts.size() * ranks_per_host; }
  /// Between two hosts, or within one, when nothing else is under way.
  [[nodiscard]] Seconds one_way(std::size_t i, std::size_t j, Bytes bytes) const;
};

/// All hosts alike.
[[nodiscard]] VirtualCluster flat_cluster(std::size_t hosts, VirtualHost host, Seconds latency, double bandwidth);

/// What the ranks of one host share, or all of a cluster: a latency and a rate.
struct VirtualLink {
  Seconds latency = 0;
  double bandwidth = 0;  ///< bytes per second
};

/// Hosts of several ranks, all alike.
[[nodiscard]] VirtualCluster multicore_cluster(std::size_t hosts, std::size_t ranks_per_host, VirtualHost host,
                                               VirtualLink memory, VirtualLink network);

/// 16 hosts of seven types, as mixed as the cluster in Lastovetsky and Rychkov's Table 1: processors differ by a factor
/// of four, links by their distance. The same on every call.
[[nodiscard]] VirtualCluster mixed_cluster();

/// The same, on which medium messages from several hosts to one escalate, as gathers did on that cluster: M_1 = 4 KB
/// and M_2 = 65 KB as printed for LAM 7.1.3; 1 of 20 such messages arrives 40 ms later (a delayed acknowledgement), 1
/// of 50 by 200 ms (the least retransmission time-out of Linux).
[[nodiscard]] VirtualCluster mixed_ethernet_cluster();

/// Files for smpirun.
struct VirtualClusterFiles {
  std::filesystem::path platform;
  std::filesystem::path hostfile;
  std::vector<std::string> smpi_arguments;
};

/// Writes them into `folder`. Throws Error for a cluster with escalations where the library that makes them was not
/// built.
[[nodiscard]] VirtualClusterFiles write_virtual_cluster(const VirtualCluster& cluster,
                                                        const std::filesystem::path& folder);

/// Built-in clusters by name: "mixed16", "mixed16-ethernet", "flat16", "multicore4x8" (4 hosts of 8 ranks) and
/// "multicore8x8". Throws UsageError listing them.
[[nodiscard]] VirtualCluster find_virtual_cluster(const std::string& name);

}  // namespace postage
