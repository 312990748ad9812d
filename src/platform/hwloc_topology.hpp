#pragma once

#include <postage/platform/topology.hpp>

#include <hwloc.h>

namespace postage {

/// The cores of a loaded hwloc topology that have a hardware thread in `usable`, in hwloc's logical order. A machine
/// whose hwloc knows no cores counts each hardware thread as one.
[[nodiscard]] NodeTopology topology_from(hwloc_topology_t topology, hwloc_const_cpuset_t usable);

}  // namespace postage
