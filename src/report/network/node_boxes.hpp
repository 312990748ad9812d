#pragma once

#include <postage/report/network_view.hpp>

#include <vector>

namespace postage {

/// What is inside a node, by hwloc's levels, from sockets to cores; levels that tell no cores apart are left out.
[[nodiscard]] std::vector<NetworkBox> node_boxes(const NodeTopology& topology);

/// Boxes that are equal but for their names become one. Keeps the order of the first ones. O(n * kinds).
[[nodiscard]] std::vector<NetworkBox> folded(std::vector<NetworkBox> boxes);

}  // namespace postage
