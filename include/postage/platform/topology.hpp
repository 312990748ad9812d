#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace postage {

/// One core of a node and what it shares with others. Ids are dense from 0 within the node.
struct Core {
  int pu = 0;  ///< operating system number of its first hardware thread
  int socket = 0;
  int numa = 0;
  int cache = 0;  ///< group of cores that share the last cache below memory
  bool operator==(const Core&) const = default;
};

/// What hwloc says of one node, reduced to what message passing can feel.
struct NodeTopology {
  std::vector<Core> cores;
  bool operator==(const NodeTopology&) const = default;
};

/// This machine, of the cores that control groups leave to this process, whatever it is bound to: ranks that their
/// launcher bound to a core each get the same answer. Throws Error if hwloc cannot read it.
[[nodiscard]] NodeTopology discover_topology();

/// The built-in names of channels, nearest first. A platform may add further ones.
inline constexpr const char* kSharedCache = "shared-cache";
inline constexpr const char* kIntraSocket = "intra-socket";
inline constexpr const char* kInterSocket = "inter-socket";
inline constexpr const char* kInterNode = "inter-node";

/// The channel between two cores of a node: one of the first three names above.
[[nodiscard]] const char* channel_between(const Core& a, const Core& b);

}  // namespace postage
