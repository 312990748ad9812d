#pragma once

#include <postage/base/units.hpp>

#include <filesystem>
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
  std::vector<Seconds> latency;   ///< [i * n + j], symmetric
  std::vector<double> bandwidth;  ///< bytes per second, [i * n + j], symmetric

  [[nodiscard]] std::size_t size() const { return hosts.size(); }
  [[nodiscard]] Seconds one_way(std::size_t i, std::size_t j, Bytes bytes) const;
};

/// All hosts alike.
[[nodiscard]] VirtualCluster flat_cluster(std::size_t hosts, VirtualHost host, Seconds latency, double bandwidth);

/// 16 hosts of seven types, as mixed as the cluster in Lastovetsky and Rychkov's Table 1: processors differ by a factor
/// of four, links by their distance. The same on every call.
[[nodiscard]] VirtualCluster mixed_cluster();

/// Files for smpirun.
struct VirtualClusterFiles {
  std::filesystem::path platform;
  std::filesystem::path hostfile;
  std::vector<std::string> smpi_arguments;
};

/// Writes them into `folder`.
[[nodiscard]] VirtualClusterFiles write_virtual_cluster(const VirtualCluster& cluster,
                                                        const std::filesystem::path& folder);

/// Built-in clusters by name: "mixed16" and "flat16". Throws UsageError listing them.
[[nodiscard]] VirtualCluster find_virtual_cluster(const std::string& name);

}  // namespace postage
