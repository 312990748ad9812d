#pragma once

#include <postage/platform/platform.hpp>

namespace postage {

/// Prints where the ranks ran, the parameters of each model by channel, and how many more there are.
void print_platform(const Platform& platform);

}  // namespace postage
