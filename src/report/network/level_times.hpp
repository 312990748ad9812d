#pragma once

#include <postage/report/network_view.hpp>

namespace postage {

/// From the platform's measured points, by the level on which two ranks meet; near to far.
[[nodiscard]] std::vector<LevelTime> level_times(const Platform& platform);

}  // namespace postage
