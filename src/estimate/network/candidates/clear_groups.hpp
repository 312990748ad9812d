#pragma once

#include "estimate/network/host_distances.hpp"

#include <postage/platform/network.hpp>

#include <optional>

namespace postage {

/// Groups of one level that the distances of real hosts show whatever noise does: nearly all of their variance is
/// between pairs of one group and pairs of two. Those that leave the least of it; none where none do.
/// O(hosts^2 distances).
[[nodiscard]] std::optional<NetworkStructure> clear_groups(const HostDistances& distances);

}  // namespace postage
