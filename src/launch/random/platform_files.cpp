#include "launch/noisy_platform.hpp"

#include <postage/base/files.hpp>
#include <postage/launch/random_platform.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

constexpr Bytes kNoThreshold = 2147483647;

std::string host_xml(int number, const VirtualHost& host, int cores) {
  const std::string cost = fmt::format("0:{}:{}", host.overhead, host.per_byte);
  std::string xml = fmt::format("<host id=\"h{}\" speed=\"1Gf\" core=\"{}\">", number, cores);
  for (const char* what : {"os", "ois", "or"}) {
    xml += fmt::format("<prop id=\"smpi/{}\" value=\"{}\"/>", what, cost);
  }
  return xml + "</host>\n";
}

std::string link_xml(const std::string& name, const NetworkLink& link) {
  return fmt::format("<link id=\"{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", name, link.bandwidth, link.latency);
}

std::string route_xml(const HostNetwork& network, int source, int target) {
  std::string xml = fmt::format("<route src=\"h{}\" dst=\"h{}\" symmetrical=\"NO\">", source, target);
  for (const int link : network.route(source, target)) {
    xml += fmt::format("<link_ctn id=\"{}\"/>", network.links[static_cast<std::size_t>(link)].name);
  }
  return xml + "</route>\n";
}

std::string memory_xml(const RandomPlatform& platform) {
  std::string links;
  std::string routes;
  for (int host = 0; host < platform.network.hosts; ++host) {
    links += link_xml(fmt::format("memory{}", host), platform.memory);
    routes += fmt::format("<route src=\"h{0}\" dst=\"h{0}\"><link_ctn id=\"memory{0}\"/></route>\n", host);
  }
  return links + routes;
}

constexpr const char* kXmlHead =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\">\n";

std::string cluster_xml(const RandomPlatform& platform) {
  const NetworkLink& memory = platform.memory;
  return fmt::format(
      "{}<cluster id=\"cluster\" prefix=\"h\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" core=\"{}\" {}{}/>\n"
      "</zone></platform>\n",
      kXmlHead, platform.network.hosts - 1, platform.ranks_per_host, platform.cluster_attributes,
      platform.ranks_per_host > 1
          ? fmt::format(" loopback_bw=\"{}Bps\" loopback_lat=\"{}s\"", memory.bandwidth, memory.latency)
          : "");
}

std::string platform_xml(const RandomPlatform& platform) {
  if (!platform.cluster_attributes.empty()) {
    return cluster_xml(platform);
  }
  const HostNetwork& network = platform.network;
  std::string xml = kXmlHead;
  if (platform.protocol.noise > 0) {
    xml += fmt::format("<prop id=\"noise\" value=\"{}\"/>\n", platform.protocol.noise);
  }
  for (int host = 0; host < network.hosts; ++host) {
    xml += host_xml(host, platform.hosts[static_cast<std::size_t>(host)], platform.ranks_per_host);
  }
  for (const NetworkLink& link : network.links) {
    xml += link_xml(link.name, link);
  }
  if (platform.ranks_per_host > 1) {
    xml += memory_xml(platform);
  }
  for (int source = 0; source < network.hosts; ++source) {
    for (int target = 0; target < network.hosts; ++target) {
      xml += source == target ? "" : route_xml(network, source, target);
    }
  }
  return xml + "</zone></platform>\n";
}

std::vector<std::string> arguments_of(const RandomProtocol& protocol) {
  std::vector<std::string> words{
      fmt::format("--cfg=smpi/send-is-detached-thresh:{}", protocol.detached_below.value_or(kNoThreshold)),
      fmt::format("--cfg=smpi/async-small-thresh:{}",
                  protocol.detached_below ? protocol.async_small_below : kNoThreshold)};
  if (protocol.has_factors) {
    words.insert(words.end(),
                 {protocol.has_contention ? "--cfg=network/model:IB" : "--cfg=network/model:SMPI",
                  "--cfg=network/crosstraffic:1", "--cfg=network/TCP-gamma:4194304", "--cfg=network/weight-S:20537"});
  }
  return words;
}

std::string host_list(const RandomPlatform& platform) {
  std::string hosts;
  for (int rank = 0; rank < platform.ranks(); ++rank) {
    hosts += fmt::format("h{}\n", rank / platform.ranks_per_host);
  }
  return hosts;
}

}  // namespace

VirtualClusterFiles write_random_platform(const RandomPlatform& platform, const std::filesystem::path& folder) {
  VirtualClusterFiles files{folder / (platform.name() + ".xml"), folder / (platform.name() + ".hosts"),
                            arguments_of(platform.protocol)};
  write_file(files.platform, platform_xml(platform));
  write_file(files.hostfile, host_list(platform));
  if (platform.protocol.noise > 0) {
    files.platform = with_noise(files.platform);
  }
  return files;
}

}  // namespace postage
