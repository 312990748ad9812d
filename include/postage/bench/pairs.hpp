#pragma once

#include <postage/platform/topology.hpp>
#include <postage/shm/thresholds.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace postage {

/// The most pairs of cores that have just this locality level between their two cores, no core in two of them: on the
/// node of paper 002 (two sockets of four cores, two to a cache) four at every level.
[[nodiscard]] std::vector<std::pair<Core, Core>> pairs_at(const NodeTopology& node, LocalityLevel level);

/// By the names of topology.hpp. Throws UsageError listing them.
[[nodiscard]] LocalityLevel parse_locality_level(std::string_view name);

}  // namespace postage
