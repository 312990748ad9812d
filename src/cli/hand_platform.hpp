#pragma once

#include <postage/platform/platform.hpp>

namespace postage {

/// The platform that parameters given by hand are for: `nodes` nodes of `per_node` cores, joined by inter-node and
/// within a node by the one channel that the table names, or shared-cache where it names none. Rank r of [processor r]
/// and [pair r s] sits on node r / per_node. Throws UsageError for channels that no such platform has, and for ranks
/// beyond it.
[[nodiscard]] Platform platform_by_hand(const ParameterTable& table, std::int32_t nodes, std::int32_t per_node);

/// True where the parameters tell channels or ranks apart, so that it matters where ranks sit.
[[nodiscard]] bool needs_places(const ParameterTable& table);

}  // namespace postage
