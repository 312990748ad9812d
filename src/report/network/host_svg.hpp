#pragma once

#include "report/network/torus_svg.hpp"

#include <postage/report/network_view.hpp>

namespace postage {

/// What is inside one host as nested boxes: sockets, NUMA nodes, shared caches and cores, which are squares. Of many
/// that are alike one is drawn, and how many there are.
[[nodiscard]] PlacedDrawing draw_host(const NetworkBox& host, double left, double top);

}  // namespace postage
