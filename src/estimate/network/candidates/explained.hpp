#pragma once

#include "estimate/network/host_distances.hpp"

#include <postage/platform/network.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace postage {

/// What steps may leave unexplained of exact latencies (see unexplained).
inline constexpr double kFewUnexplained = 0.02;

/// Steps from a host to another.
using Steps = std::function<int(int from, int to)>;

/// Share of the latencies' variance that is between hosts as many steps apart; 1 where latencies do not grow with
/// steps. O(hosts^2 log steps).
[[nodiscard]] double unexplained(const HostDistances& distances, const Steps& steps);

/// Networks by the share of the latencies' variance that they leave unexplained.
using Explanations = std::vector<std::pair<double, NetworkStructure>>;

/// Appends those that leave little unexplained, and not much more than the best of them.
void append_best(Explanations&& all, std::vector<NetworkStructure>& networks);

}  // namespace postage
