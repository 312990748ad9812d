#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/virtual_cluster.hpp>

#include <fmt/format.h>

#include <array>

namespace postage {
namespace {

constexpr Bytes kEnvelope = 16;

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

std::string host_xml(std::size_t i, const VirtualHost& host) {
  const std::string cost = fmt::format("0:{}:{}", host.overhead, host.per_byte);
  return fmt::format(
      "<host id=\"h{}\" speed=\"1Gf\"><prop id=\"smpi/os\" value=\"{}\"/><prop id=\"smpi/ois\" value=\"{}\"/>"
      "<prop id=\"smpi/or\" value=\"{}\"/></host>\n",
      i, cost, cost, cost);
}

std::string link_xml(const VirtualCluster& cluster, std::size_t i, std::size_t j) {
  const std::size_t at = i * cluster.size() + j;
  return fmt::format("<link id=\"l{}_{}\" bandwidth=\"{}Bps\" latency=\"{}s\" sharing_policy=\"SPLITDUPLEX\"/>\n", i, j,
                     cluster.bandwidth[at], cluster.latency[at]);
}

std::string route_xml(std::size_t i, std::size_t j) {
  return fmt::format("<route src=\"h{}\" dst=\"h{}\"><link_ctn id=\"l{}_{}\" direction=\"UP\"/></route>\n", i, j, i, j);
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

VirtualClusterFiles write_virtual_cluster(const VirtualCluster& cluster, const std::filesystem::path& folder) {
  std::string xml =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\">\n";
  std::string hosts;
  std::string links;
  std::string routes;
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    xml += host_xml(i, cluster.hosts[i]);
    hosts += fmt::format("h{}\n", i);
    for (std::size_t j = i + 1; j < cluster.size(); ++j) {
      links += link_xml(cluster, i, j);
      routes += route_xml(i, j);
    }
  }
  xml += links + routes + "</zone></platform>\n";
  VirtualClusterFiles files{
      folder / (cluster.name + ".xml"),
      folder / (cluster.name + ".hosts"),
      {"--cfg=smpi/send-is-detached-thresh:2147483647", "--cfg=smpi/async-small-thresh:2147483647"}};
  write_file(files.platform, xml);
  write_file(files.hostfile, hosts);
  return files;
}

VirtualCluster find_virtual_cluster(const std::string& name) {
  if (name == "mixed16") {
    return mixed_cluster();
  }
  if (name == "flat16") {
    return flat_cluster(16, {2e-6, 0}, 10e-6, 1e9);
  }
  throw UsageError(unknown_name("virtual cluster", name, "mixed16, flat16, or a SimGrid platform file ending in .xml"));
}

}  // namespace postage
