#include "cli/platforms/site_topology.hpp"

#include <postage/platform/switch_tree.hpp>

namespace postage {

std::optional<NetworkStructure> site_groups(const std::string& topology_conf, const SampleSet& samples) {
  if (topology_conf.empty()) {
    return {};
  }
  std::vector<std::string> hosts;
  for (const Node& node : samples.nodes) {
    hosts.push_back(node.name);
  }
  return groups_of(read_topology_conf(topology_conf), hosts);
}

void check_site_hosts(const std::string& topology_conf, const LaunchOptions& launch) {
  if (topology_conf.empty()) {
    return;
  }
  // Wrong lines first: they need no ranks.
  static_cast<void>(read_topology_conf(topology_conf));
  LaunchOptions shortest = launch;
  shortest.measuring.budget = "100ms";
  shortest.measuring.settings.passes = 1;
  shortest.measuring.settings.warm_up = 0;
  shortest.measuring.settings.least_repetitions = 2;
  shortest.measuring.settings.most_repetitions = 2;
  static_cast<void>(site_groups(topology_conf, measure_with(shortest, {"--sizes", "1"})));
}

}  // namespace postage
