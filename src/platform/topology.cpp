#include "platform/hwloc_topology.hpp"

#include <postage/base/error.hpp>
#include <postage/platform/topology.hpp>

#include <hwloc.h>

#include <map>
#include <memory>

namespace postage {
namespace {

/// Numbers objects 0, 1, ... in the order in which they are first met.
class DenseIds {
 public:
  int of(const void* object) { return ids_.emplace(object, static_cast<int>(ids_.size())).first->second; }

 private:
  std::map<const void*, int> ids_;
};

/// The largest cache that the core shares with others, or the core itself where there is none.
hwloc_obj_t last_cache(hwloc_obj_t core) {
  hwloc_obj_t cache = core;
  for (hwloc_obj_t above = core->parent; above != nullptr; above = above->parent) {
    if (hwloc_obj_type_is_dcache(above->type)) {
      cache = above;
    }
  }
  return cache;
}

hwloc_obj_t package_of(hwloc_topology_t topology, hwloc_obj_t core) {
  hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, core);
  return package != nullptr ? package : hwloc_get_root_obj(topology);
}

/// A core may be near several NUMA nodes (fast and large memory): the first of them counts.
const void* numa_of(hwloc_topology_t topology, hwloc_obj_t core) {
  const int first = hwloc_bitmap_first(core->nodeset);
  return first < 0 ? nullptr : hwloc_get_numanode_obj_by_os_index(topology, static_cast<unsigned>(first));
}

}  // namespace

NodeTopology topology_from(hwloc_topology_t topology) {
  NodeTopology node;
  DenseIds sockets;
  DenseIds numas;
  DenseIds caches;
  // hwloc leaves out what this process may not use, so these are the allowed cores.
  // Where it knows no cores, each hardware thread counts as one.
  const bool knows_cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0;
  const hwloc_obj_type_t type = knows_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  const int count = hwloc_get_nbobjs_by_type(topology, type);
  for (int i = 0; i < count; ++i) {
    const hwloc_obj_t core = hwloc_get_obj_by_type(topology, type, static_cast<unsigned>(i));
    node.cores.push_back({.pu = hwloc_bitmap_first(core->cpuset),
                          .socket = sockets.of(package_of(topology, core)),
                          .numa = numas.of(numa_of(topology, core)),
                          .cache = caches.of(last_cache(core))});
  }
  return node;
}

NodeTopology discover_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    throw Error("hwloc cannot start; check that libhwloc15 is installed whole");
  }
  const std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> topology(raw, hwloc_topology_destroy);
  if (hwloc_topology_load(raw) != 0) {
    throw Error("hwloc cannot read this machine's topology; 'lstopo' may say why");
  }
  NodeTopology node = topology_from(raw);
  if (node.cores.empty()) {
    throw Error("hwloc sees no core on this machine; is /sys mounted?");
  }
  return node;
}

const char* channel_between(const Core& a, const Core& b) {
  if (a.socket != b.socket) {
    return kInterSocket;
  }
  return a.cache == b.cache ? kSharedCache : kIntraSocket;
}

}  // namespace postage
