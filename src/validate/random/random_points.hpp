#pragma once

#include <postage/launch/random_platform.hpp>
#include <postage/measure/batch.hpp>

#include <vector>

namespace postage {

/// About `count` collectives on all ranks of the platform, drawn from its seed: every algorithm of as many collectives,
/// sizes and roots, whole and in segments. Sizes are 64, 1K, 8K, 64K, 1M and those at and beside each threshold; roots
/// the first rank, the last, and one between. What takes too long to simulate is left out.
[[nodiscard]] std::vector<BatchPoint> random_points(const RandomPlatform& platform, std::size_t count);

}  // namespace postage
