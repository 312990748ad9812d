#pragma once

#include "launch/random/draws.hpp"

#include <postage/launch/random_platform.hpp>

namespace postage {

/// A cluster as SimGrid's own tag describes it, with SMPI's settings: no platform of networks.hpp. Its family is the
/// seed modulo five: star, star with a backbone, fat tree, torus, dragonfly. The same on every machine.
[[nodiscard]] RandomPlatform draw_cluster(std::uint64_t seed);

}  // namespace postage
