#pragma once

#include "estimate/network/host_distances.hpp"

#include <postage/platform/network.hpp>

namespace postage {

/// Appends a level of these groups, named after what they are, with a number; without parents (see join_levels).
void append_level(const HostPartition& groups, const char* what, GroupJunction junction, NetworkStructure& network);

/// Gives each group as its parent the one of the next level that has its first host.
void join_levels(NetworkStructure& network);

}  // namespace postage
