#pragma once

#include <postage/platform/parameters.hpp>
#include <postage/platform/platform.hpp>

#include <map>
#include <vector>

namespace postage {

/// Each host's first rank.
[[nodiscard]] std::map<int, int> first_ranks(const Platform& platform);

/// Hosts by what the model says of their first ranks: classes whose links carry the same, and whose processors small
/// messages keep as long.
[[nodiscard]] std::vector<HostClass> host_classes(const ParameterTable& table, const Platform& platform);

}  // namespace postage
