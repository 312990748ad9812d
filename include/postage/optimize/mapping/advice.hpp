#pragma once

#include <postage/optimize/mapping/placement.hpp>
#include <postage/predict/prediction.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// A program whose ranks are to be placed.
struct MappingTask {
  Communication communication;
  /// The collectives that `communication` is of; else none. They are predicted as `postage predict` does it.
  std::vector<Schedule> schedules{};
  /// The trace that it is of: then placements are compared by playing it.
  std::optional<Trace> trace{};
  /// The job's mapping today, if it is another one than block and cyclic: the slot of each rank.
  std::vector<Rank> today{};
  SearchLimits limits{};
};

struct PlacementCandidate {
  std::string name;  ///< "block", "cyclic", "today", "tiles", "scotch", "search"
  std::vector<Rank> slot_of_rank;
  Seconds seconds = 0;
  Seconds lower = 0;  ///< by the ends of the parameters' intervals; 0 and infinity where there are none
  Seconds upper = 0;
};

struct MappingAdvice {
  std::vector<PlacementCandidate> candidates;  ///< in the order of their names above
  std::size_t best = 0;                        ///< the fastest; the first of those that are as fast
  std::int64_t swaps = 0;                      ///< that the search tried
};

/// More messages than these are predicted by PlacementCost alone, not followed one by one.
inline constexpr std::int64_t kMostFollowedMessages = 200'000;

/// Compares block, cyclic, today's, the tiles of a grid, Scotch's placement, and what search_placement makes of
/// Scotch's and of the best of these, with half of the swaps each, by predicted time: of schedules `predict`; of traces
/// play_trace; of other messages under a model of flows play_messages, else PlacementCost. `slots` is a block mapping.
/// Throws UsageError where the task has more ranks than slots.
[[nodiscard]] MappingAdvice advise_mapping(const MappingTask& task, const Platform& platform, const Mapping& slots,
                                           const PlatformModel& model);

/// Where a placement puts each of the first `ranks` ranks.
[[nodiscard]] std::vector<RankPlacement> placements_of(const std::vector<Rank>& slot_of_rank, const Mapping& slots,
                                                       Rank ranks);

/// Checks that each of `ranks` ranks has a slot and no slot is taken twice. Throws UsageError naming the first mistake.
void check_placements(const std::vector<RankPlacement>& placements, Rank ranks);

}  // namespace postage
