#pragma once

#include "estimate/network/candidates/explained.hpp"
#include "estimate/network/host_distances.hpp"

namespace postage {

/// Appends groups of routers that are all joined, in one row or in several rows between which the routers at the same
/// place are joined (dragonflies; of one group of rows, a flattened butterfly), with what they explain of the
/// distances. Hosts, routers and rows are those that follow one another. O(hosts^2) for each way to divide hosts.
void append_dragonflies(const HostDistances& distances, Explanations& dragonflies);

}  // namespace postage
