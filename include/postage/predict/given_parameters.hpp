#pragma once

#include <postage/platform/platform.hpp>

namespace postage {

/// The platform for parameters given by hand: `nodes` nodes of `per_node` cores, joined by inter-node, and within a
/// node by the one channel that the table names, or shared-cache where it names none; or by `levels`, if there are any.
/// Rank r of [processor r] and [pair r s] runs on node r / per_node. Throws UsageError for channels that no such
/// platform has, and for ranks beyond it.
[[nodiscard]] Platform platform_of(const ParameterTable& table, std::int32_t nodes, std::int32_t per_node,
                                   const std::vector<ChannelLevel>& levels = {});

/// True where parameters differ by channel or by rank, so that predictions depend on the mapping.
[[nodiscard]] bool depends_on_mapping(const ParameterTable& table);

}  // namespace postage
