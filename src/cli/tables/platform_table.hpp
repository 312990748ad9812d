#pragma once

#include <postage/platform/platform.hpp>

namespace postage {

/// Prints the parameters of each model by channel, and how many more there are.
void print_parameters(const Platform& platform);

/// Prints the thresholds of shared memory, where they were measured, and how many points are not precise.
void print_thresholds(const Platform& platform);

}  // namespace postage
