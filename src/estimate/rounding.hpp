#pragma once

#include <postage/platform/platform.hpp>

namespace postage {

/// Keeps of each estimate and measured point the digits that say something: nine of a value, six of its bounds, which
/// stay around it; whole numbers, like sizes, stay what they are. A file of sixteen hosts takes a third of the room
/// then. O(estimates).
void round_estimates(Platform& platform);

}  // namespace postage
