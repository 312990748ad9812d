#pragma once

#include "cli/launching.hpp"

#include <postage/platform/network.hpp>
#include <postage/samples/samples.hpp>

#include <optional>
#include <string>

namespace postage {

/// Groups of the samples' hosts by the switches of a topology.conf; nothing for an empty path. Throws UsageError naming
/// the file, and line or host, where it is wrong or does not know a host.
[[nodiscard]] std::optional<NetworkStructure> site_groups(const std::string& topology_conf, const SampleSet& samples);

/// Starts the ranks once, for about a second, to learn their hosts: a topology.conf that does not know them is refused
/// before a campaign, not after it. Does nothing for an empty path.
void check_site_hosts(const std::string& topology_conf, const LaunchOptions& launch);

}  // namespace postage
