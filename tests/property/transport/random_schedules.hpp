#pragma once

#include <postage/schedule/schedule.hpp>

#include <random>

namespace postage {

/// A correct schedule that no algorithm would use: blocks take random paths, several times over, in messages of
/// scattered blocks, whole or in segments; contributions are combined in random trees that keep the ranks' order. For
/// scans messages from the left come in random order.
[[nodiscard]] Schedule random_schedule(Collective collective, Rank ranks, std::mt19937& random);

}  // namespace postage
