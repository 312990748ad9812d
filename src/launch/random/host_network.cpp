#include "launch/random/host_network.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

constexpr double kSlowHosts = 0.3;

/// The hosts' shares of the usual bandwidth: some are slower where links are mixed.
std::vector<double> draw_host_bandwidths(const NetworkDraw& wanted, int hosts, Draws& draws) {
  const double slow = draws.one_of({0.5, 0.25});
  std::vector<double> bandwidths;
  for (int host = 0; host < hosts; ++host) {
    const bool is_slow = draws.happens(kSlowHosts) && wanted.mixed_links;
    bandwidths.push_back(wanted.bandwidth * (is_slow ? slow : 1));
  }
  return bandwidths;
}

}  // namespace

NetworkMaker::NetworkMaker(const NetworkDraw& wanted, int hosts, Draws& draws)
    : wanted_(wanted),
      network_{.hosts = hosts, .links = {}, .routes = {}},
      host_bandwidth_(draw_host_bandwidths(wanted, hosts, draws)) {}

int NetworkMaker::add(std::string name, double bandwidth) {
  network_.links.push_back({std::move(name), bandwidth, wanted_.latency});
  return static_cast<int>(network_.links.size()) - 1;
}

int NetworkMaker::between(int from, int to, double share) {
  const auto found = between_.find({from, to});
  if (found != between_.end()) {
    return found->second;
  }
  const int link = add(fmt::format("s{}_s{}", from, to), wanted_.bandwidth * share);
  between_[{from, to}] = link;
  return link;
}

HostNetwork NetworkMaker::with_routes(const Path& path, int rails) {
  std::vector<std::vector<int>> up(static_cast<std::size_t>(rails));
  std::vector<std::vector<int>> down(up.size());
  for (std::size_t rail = 0; rail < up.size(); ++rail) {
    for (std::size_t host = 0; host < host_bandwidth_.size(); ++host) {
      up[rail].push_back(add(fmt::format("h{}_up{}", host, rail), host_bandwidth_[host]));
      down[rail].push_back(add(fmt::format("h{}_down{}", host, rail), host_bandwidth_[host]));
    }
  }
  for (int source = 0; source < network_.hosts; ++source) {
    for (int target = 0; target < network_.hosts; ++target) {
      std::vector<int>& route = network_.routes.emplace_back();
      if (source == target) {
        continue;
      }
      const auto rail = static_cast<std::size_t>((source + target) % rails);
      route.push_back(up[rail][static_cast<std::size_t>(source)]);
      for (const int link : path(source, target)) {
        route.push_back(link);
      }
      route.push_back(down[rail][static_cast<std::size_t>(target)]);
    }
  }
  return std::move(network_);
}

}  // namespace postage
