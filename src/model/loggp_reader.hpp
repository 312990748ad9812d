#pragma once

#include <postage/model/group_reader.hpp>
#include <postage/model/loggp.hpp>

namespace postage {

/// L, o_s, o_r, g and G of one group.
[[nodiscard]] LogGPLink read_loggp(const GroupReader& group);

/// C(m, n). A message alone on its channel does not wait, whatever the first row given.
[[nodiscard]] CostSurface read_contention(const GroupReader& group);

}  // namespace postage
