#pragma once

#include "estimate/network/host_distances.hpp"

#include <postage/platform/network.hpp>

#include <vector>

namespace postage {

/// Networks that latencies allow, without bandwidths: trees of nested groups, with links side by side, tori of all
/// lengths along which hosts may be numbered, and groups of routers that are all joined (dragonflies), each where the
/// hosts' distances follow its steps. O(hosts^2) for each.
[[nodiscard]] std::vector<NetworkStructure> possible_networks(const HostDistances& distances);

}  // namespace postage
