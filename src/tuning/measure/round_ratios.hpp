#pragma once

#include "tuning/measure/times.hpp"

#include <vector>

namespace postage {

/// A choice's time over the default's in each round.
using RoundRatios = std::vector<double>;

/// None where the library fails with the choice, or by default.
[[nodiscard]] RoundRatios ratios_of(const PairedTimes& pairs);

/// What the fastest of the choices takes over the default, of which no choice is another one: chosen by one half of the
/// rounds and judged by the other, and the other way round, since the times by which one of many is chosen are better
/// than it is. 1 without choices. No choice may be empty.
[[nodiscard]] double best_ratio(const std::vector<RoundRatios>& choices);

}  // namespace postage
