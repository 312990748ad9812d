#pragma once

#include <postage/platform/network.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A switch as a site describes it.
struct SiteSwitch {
  std::string name;
  int line = 0;                        ///< of the file that says so, from 1
  int parent = -1;                     ///< index of the switch that it is below; -1 at the top
  std::vector<std::string> hosts{};    ///< directly on it; none where it joins switches
  std::optional<double> link_speed{};  ///< in whatever unit the site takes; Slurm has none
  bool operator==(const SiteSwitch&) const = default;
};

/// The switches of a site: a forest, whose leaves join hosts.
struct SwitchTree {
  std::filesystem::path source;
  std::vector<SiteSwitch> switches;
  bool operator==(const SwitchTree&) const = default;
};

/// Reads Slurm's topology.conf (topology/tree): lines of SwitchName= with Nodes= or Switches=, and LinkSpeed=, names in
/// any case, lists as Slurm writes them, '#' for comments, '\' at a line's end to go on. Throws UsageError naming file
/// and line for what is none of that, Include and topologies of blocks among it, and where it contradicts itself: a
/// switch or a host that stands twice, a switch that nobody describes, one that is above itself.
[[nodiscard]] SwitchTree read_topology_conf(const std::filesystem::path& path);
/// The same of a file's text.
[[nodiscard]] SwitchTree parse_topology_conf(std::string_view text, const std::filesystem::path& source);

/// The groups of hosts that the tree makes of a job's hosts, named by their switches; their bandwidths are missing, and
/// so are classes of hosts. Switches that join none or all of the hosts are no groups. A host is found by its name, or
/// else by what stands before the first '.' of either. Throws UsageError naming the file and a host that is below none
/// of its switches, or the switches of which one name could mean two hosts.
[[nodiscard]] NetworkStructure groups_of(const SwitchTree& tree, std::span<const std::string> hosts);

}  // namespace postage
