#pragma once

#include <postage/platform/topology.hpp>

#include <hwloc.h>

namespace postage {

/// Reduces what hwloc knows to what message passing can feel; apart from discovery, so that tests can describe machines
/// that nobody here has.
[[nodiscard]] NodeTopology topology_from(hwloc_topology_t topology);

}  // namespace postage
