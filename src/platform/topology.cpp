#include "platform/hwloc_topology.hpp"

#include <postage/base/error.hpp>
#include <postage/platform/topology.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>

namespace postage {
namespace {

// Numbers things densely from 0 in the order in which they are first met.
class Numbering {
 public:
  int operator()(std::uint64_t thing) {
    return numbers_.try_emplace(thing, static_cast<int>(numbers_.size())).first->second;
  }

 private:
  std::map<std::uint64_t, int> numbers_;
};

hwloc_obj_t last_cache_of(hwloc_obj_t core) {
  // Cores that share no cache at all are groups of one.
  hwloc_obj_t last = core;
  for (hwloc_obj_t object = core->parent; object != nullptr; object = object->parent) {
    if (hwloc_obj_type_is_dcache(object->type) != 0) {
      last = object;
    }
  }
  return last;
}

std::uint64_t socket_of(hwloc_topology_t topology, hwloc_obj_t core) {
  const hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, core);
  return package == nullptr ? 0 : package->gp_index;
}

// A core may be local to several NUMA nodes (fast and large memory): the first of them stands for the place.
std::uint64_t numa_of(hwloc_obj_t core) {
  const int first = core->nodeset == nullptr ? -1 : hwloc_bitmap_first(core->nodeset);
  return first < 0 ? 0 : static_cast<std::uint64_t>(first);
}

int first_usable_thread(hwloc_topology_t topology, hwloc_obj_t core, hwloc_const_cpuset_t usable) {
  for (hwloc_obj_t thread = nullptr;
       (thread = hwloc_get_next_obj_inside_cpuset_by_type(topology, core->cpuset, HWLOC_OBJ_PU, thread)) != nullptr;) {
    if (hwloc_bitmap_isset(usable, thread->os_index) != 0) {
      return static_cast<int>(thread->os_index);
    }
  }
  return -1;
}

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using TopologyHandle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyTopology>;
using BitmapHandle = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, FreeBitmap>;

TopologyHandle load_this_machine() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) {
    throw Error(fmt::format("hwloc cannot start: {}", std::strerror(errno)));
  }
  TopologyHandle handle(topology);
  if (hwloc_topology_load(topology) != 0) {
    throw Error(fmt::format("hwloc cannot read this machine's topology: {}", std::strerror(errno)));
  }
  return handle;
}

NodeTopology checked(NodeTopology topology) {
  if (topology.cores.empty()) {
    throw Error("hwloc finds no core of this machine that this process may use");
  }
  return topology;
}

}  // namespace

NodeTopology topology_from(hwloc_topology_t topology, hwloc_const_cpuset_t usable) {
  const bool knows_cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0;
  const hwloc_obj_type_t type = knows_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  NodeTopology result;
  Numbering sockets;
  Numbering numas;
  Numbering caches;
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology, type, core)) != nullptr;) {
    const int pu = first_usable_thread(topology, core, usable);
    if (pu >= 0) {
      result.cores.push_back({.pu = pu,
                              .socket = sockets(socket_of(topology, core)),
                              .numa = numas(numa_of(core)),
                              .cache = caches(last_cache_of(core)->gp_index)});
    }
  }
  return result;
}

NodeTopology discover_topology() {
  const auto topology = load_this_machine();
  const BitmapHandle usable(hwloc_bitmap_alloc());
  if (usable == nullptr || hwloc_get_cpubind(topology.get(), usable.get(), HWLOC_CPUBIND_PROCESS) != 0) {
    throw Error(fmt::format("hwloc cannot read what this process is bound to: {}", std::strerror(errno)));
  }
  return checked(topology_from(topology.get(), usable.get()));
}

NodeTopology discover_node() {
  const auto topology = load_this_machine();
  return checked(topology_from(topology.get(), hwloc_topology_get_allowed_cpuset(topology.get())));
}

const char* channel_between(const Core& a, const Core& b) {
  if (a.socket != b.socket) {
    return kInterSocket;
  }
  return a.cache == b.cache ? kSharedCache : kIntraSocket;
}

}  // namespace postage
