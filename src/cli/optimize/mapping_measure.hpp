#pragma once

#include "cli/optimize/mapping_options.hpp"

#include <postage/base/statistics.hpp>

#include <string>
#include <vector>

namespace postage {

/// Two placements on real hosts: medians of the runs' medians, and of the runs in pairs how many times faster.
struct MeasuredPlacements {
  Seconds block = 0;
  Seconds best = 0;
  double times_faster = 1;
  Interval times_faster_interval{};  ///< 95 %, free of distributions
  std::size_t pairs = 0;
};

/// Runs the communication with ranks as block and as the other placement have them, in turn, and finds out each time
/// that the launcher put them there. `hosts[node]` names nodes. Throws UsageError for what cannot be run, Error where a
/// run fails or ranks are elsewhere.
[[nodiscard]] MeasuredPlacements measure_placements(const MappingAdviceOptions& options,
                                                    const Communication& communication,
                                                    const std::vector<RankPlacement>& block,
                                                    const std::vector<RankPlacement>& best,
                                                    const std::vector<std::string>& hosts);

}  // namespace postage
