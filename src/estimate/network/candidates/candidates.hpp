#pragma once

#include "estimate/network/host_distances.hpp"

#include <postage/platform/network.hpp>

#include <functional>
#include <vector>

namespace postage {

/// Appends the tree of these nested groups, the smallest first, and, of two groups on one level, that with a link
/// between them.
void append_trees(const std::vector<HostPartition>& levels, std::vector<NetworkStructure>& networks);

/// The trees of nested groups that the distances show (see append_trees); none where they show none. With each level,
/// also the trees of one level: the others may be noise. O(hosts^2 distances).
[[nodiscard]] std::vector<NetworkStructure> possible_trees(const HostDistances& distances, bool with_each_level);

/// Networks that latencies allow, without bandwidths: trees of nested groups, with links side by side, tori of all
/// lengths along which hosts may be numbered, and groups of routers that are all joined (dragonflies), each where the
/// hosts' distances follow its steps. O(hosts^2) for each. `with_each_level`: see possible_trees.
[[nodiscard]] std::vector<NetworkStructure> possible_networks(const HostDistances& distances,
                                                              bool with_each_level = false);

/// True where steps on a torus explain nearly all of the latencies' variance: no other network would by chance.
[[nodiscard]] bool is_torus(const HostDistances& distances, const std::vector<int>& lengths);

}  // namespace postage
