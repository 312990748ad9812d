#pragma once

#include <postage/validate/outliers.hpp>

#include <vector>

namespace postage {

/// Which pairs of hosts should be as fast as one another: a number for each of the times. Pairs that only a few hosts
/// are part of, as those of a host that is slow, count to the most frequent class of their channel.
[[nodiscard]] std::vector<int> pair_classes(const HostPairTimes& times);

}  // namespace postage
