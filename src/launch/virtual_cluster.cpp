#include "launch/noisy_platform.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/virtual_cluster.hpp>

#include <fmt/format.h>

#include <array>

namespace postage {
namespace {

constexpr Bytes kEnvelope = 16;
/// No message is larger.
constexpr Bytes kLargestMessage = 2147483647;

/// How many hosts of a type there are, and what they are like.
struct HostType {
  std::size_t count;
  VirtualHost host;
};

constexpr std::array<HostType, 7> kTypes{{{2, {9e-6, 2.0e-10}},
                                          {6, {11e-6, 3.0e-10}},
                                          {2, {14e-6, 3.5e-10}},
                                          {1, {18e-6, 5.0e-10}},
                                          {1, {22e-6, 6.5e-10}},
                                          {1, {28e-6, 7.0e-10}},
                                          {3, {36e-6, 8.0e-10}}}};

constexpr const char* kNames = "mixed16, mixed16-ethernet, flat16, multicore4x8, multicore8x8";

std::string host_xml(std::size_t i, const VirtualHost& host, std::size_t cores) {
  const std::string cost = fmt::format("0:{}:{}", host.overhead, host.per_byte);
  return fmt::format(
      "<host id=\"h{}\" speed=\"1Gf\" core=\"{}\"><prop id=\"smpi/os\" value=\"{}\"/><prop id=\"smpi/ois\" "
      "value=\"{}\"/>"
      "<prop id=\"smpi/or\" value=\"{}\"/></host>\n",
      i, cores, cost, cost, cost);
}

/// Every pair of hosts has a link of its own.
std::string pair_xml(const VirtualCluster& cluster) {
  std::string links;
  std::string routes;
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    for (std::size_t j = i + 1; j < cluster.size(); ++j) {
      const std::size_t at = i * cluster.size() + j;
      links += fmt::format("<link id=\"l{}_{}\" bandwidth=\"{}Bps\" latency=\"{}s\" sharing_policy=\"SPLITDUPLEX\"/>\n",
                           i, j, cluster.bandwidth[at], cluster.latency[at]);
      routes += fmt::format("<route src=\"h{}\" dst=\"h{}\"><link_ctn id=\"l{}_{}\" direction=\"UP\"/></route>\n", i, j,
                            i, j);
    }
  }
  return links + routes;
}

std::string shared_link_xml(const char* name, std::size_t host, double bandwidth, Seconds latency) {
  return fmt::format("<link id=\"{}{}\" bandwidth=\"{}Bps\" latency=\"{}s\" sharing_policy=\"SHARED\"/>\n", name, host,
                     bandwidth, latency);
}

/// Every host has a memory and a network interface, which has half of the network's latency in each direction.
std::string shared_xml(const VirtualCluster& cluster) {
  const std::size_t n = cluster.size();
  std::string links;
  std::string routes;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t other = i * n + (i + 1) % n;
    links += shared_link_xml("memory", i, cluster.bandwidth[i * n + i], cluster.latency[i * n + i]);
    links += shared_link_xml("out", i, cluster.bandwidth[other], cluster.latency[other] / 2);
    links += shared_link_xml("in", i, cluster.bandwidth[other], cluster.latency[other] / 2);
    routes += fmt::format("<route src=\"h{0}\" dst=\"h{0}\"><link_ctn id=\"memory{0}\"/></route>\n", i);
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) {
        routes += fmt::format(
            "<route src=\"h{0}\" dst=\"h{1}\" symmetrical=\"NO\"><link_ctn id=\"out{0}\"/><link_ctn "
            "id=\"in{1}\"/></route>\n",
            i, j);
      }
    }
  }
  return links + routes;
}

}  // namespace

Seconds VirtualCluster::one_way(std::size_t i, std::size_t j, Bytes bytes) const {
  const auto m = static_cast<double>(bytes);
  const std::size_t at = i * size() + j;
  return hosts[i].overhead + hosts[i].per_byte * m + latency[at] + (m + kEnvelope) / bandwidth[at] + hosts[j].overhead +
         hosts[j].per_byte * m;
}

VirtualCluster flat_cluster(std::size_t hosts, VirtualHost host, Seconds latency, double bandwidth) {
  return {fmt::format("flat{}", hosts), std::vector<VirtualHost>(hosts, host),
          std::vector<Seconds>(hosts * hosts, latency), std::vector<double>(hosts * hosts, bandwidth)};
}

VirtualCluster multicore_cluster(std::size_t hosts, std::size_t ranks_per_host, VirtualHost host, VirtualLink memory,
                                 VirtualLink network) {
  VirtualCluster cluster = flat_cluster(hosts, host, network.latency, network.bandwidth);
  cluster.name = fmt::format("multicore{}x{}", hosts, ranks_per_host);
  cluster.ranks_per_host = ranks_per_host;
  for (std::size_t i = 0; i < hosts; ++i) {
    cluster.latency[i * hosts + i] = memory.latency;
    cluster.bandwidth[i * hosts + i] = memory.bandwidth;
  }
  return cluster;
}

VirtualCluster mixed_cluster() {
  VirtualCluster cluster{.name = "mixed16"};
  for (const HostType& type : kTypes) {
    cluster.hosts.insert(cluster.hosts.end(), type.count, type.host);
  }
  const std::size_t n = cluster.size();
  cluster.latency.assign(n * n, 0);
  cluster.bandwidth.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t low = std::min(i, j);
      const std::size_t high = std::max(i, j);
      cluster.latency[i * n + j] = 20e-6 + 1e-6 * static_cast<double>(high - low);
      cluster.bandwidth[i * n + j] = 100e6 + 1e6 * static_cast<double>((7 * low + 3 * high) % 13);
    }
  }
  return cluster;
}

VirtualCluster mixed_ethernet_cluster() {
  VirtualCluster cluster = mixed_cluster();
  cluster.name = "mixed16-ethernet";
  cluster.escalations = "4000 65000 0.04 0.05 0.2 0.02";
  return cluster;
}

VirtualClusterFiles write_virtual_cluster(const VirtualCluster& cluster, const std::filesystem::path& folder) {
  std::string xml =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\">\n";
  if (!cluster.escalations.empty()) {
    xml += fmt::format("<prop id=\"escalations\" value=\"{}\"/>\n", cluster.escalations);
  }
  std::string hosts;
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    xml += host_xml(i, cluster.hosts[i], cluster.ranks_per_host);
    // A line for each rank: "h0:8" makes smpirun write a list of its own into the current folder.
    for (std::size_t rank = 0; rank < cluster.ranks_per_host; ++rank) {
      hosts += fmt::format("h{}\n", i);
    }
  }
  xml += (cluster.ranks_per_host == 1 ? pair_xml(cluster) : shared_xml(cluster)) + "</zone></platform>\n";
  const Bytes kept_from = cluster.largest_eager ? *cluster.largest_eager + 1 : kLargestMessage;
  VirtualClusterFiles files{folder / (cluster.name + ".xml"),
                            folder / (cluster.name + ".hosts"),
                            {fmt::format("--cfg=smpi/send-is-detached-thresh:{}", kept_from),
                             fmt::format("--cfg=smpi/async-small-thresh:{}", kept_from)}};
  write_file(files.platform, xml);
  if (!cluster.escalations.empty()) {
    files.platform = with_noise(files.platform);
  }
  write_file(files.hostfile, hosts);
  return files;
}

VirtualCluster find_virtual_cluster(const std::string& name) {
  if (name == "mixed16") {
    return mixed_cluster();
  }
  if (name == "mixed16-ethernet") {
    return mixed_ethernet_cluster();
  }
  if (name == "flat16") {
    return flat_cluster(16, {2e-6, 0}, 10e-6, 1e9);
  }
  for (const std::size_t hosts : {4, 8}) {
    VirtualCluster cluster = multicore_cluster(hosts, 8, {1e-6, 0}, {200e-9, 20e9}, {10e-6, 5e9});
    if (cluster.name == name) {
      return cluster;
    }
  }
  throw UsageError(
      unknown_name("virtual cluster", name,
                   std::string(kNames) + ", seed:NUMBER for a random one, or a SimGrid platform file ending in .xml"));
}

}  // namespace postage
