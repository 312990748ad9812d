#pragma once

#include <postage/optimize/mapping/communication.hpp>

#include <cstdint>
#include <vector>

namespace postage {

/// Of each slot of a mapping the groups that it lies in, the widest first: groups of hosts of the network's structure
/// from the highest level down, or levels given by hand; then node, socket, NUMA node and cache. Two slots whose first
/// k numbers are the same share the k widest. O(slots * levels).
[[nodiscard]] std::vector<std::vector<int>> places_of(const Platform& platform, const Mapping& slots);

/// The slot of each rank by recursive mapping of the communication's graph onto these groups with Scotch (F.
/// Pellegrini, J. Roman, HPCN 1996): level by level, ranks are divided among the groups, by halves, so that what they
/// send each other across groups is small; nodes of a torus are mapped onto its grid. Where Scotch's parts are not as
/// large as the groups, ranks that lose least move. The same on every call. Throws Error where Scotch fails. About
/// O(edges * log groups) for each level.
[[nodiscard]] std::vector<Rank> scotch_placement(const std::vector<CommunicationEdge>& edges, const Platform& platform,
                                                 const Mapping& slots);

/// The slot of each rank of a grid, whose first side varies slowest, that is cut into equal boxes with the least
/// surface: one for each of the widest groups, each of these for the next narrower ones, and so on. Groups that are not
/// all of a size, or in whose number the sides cannot be cut, are passed over. As many slots as ranks.
[[nodiscard]] std::vector<Rank> tile_placement(const std::vector<Rank>& lengths, const Platform& platform,
                                               const Mapping& slots);

/// How long search_placement may go on: swaps tried, and messages whose cost is worked out for them, some seconds'
/// worth.
struct SearchLimits {
  std::int64_t swaps = 150'000;
  std::int64_t charges = 30'000'000;
  std::uint64_t seed = 1;
};

/// Improves the placement of `cost` by swaps of two ranks until none helps or the limit is met, and returns how many
/// were tried: a rank with one on a node of a partner, or with any, in a random order that the seed gives. A swap stays
/// if it lowers the predicted time, or leaves it and lowers the power mean of the ranks' times.
std::int64_t search_placement(PlacementCost& cost, const Communication& communication, const Mapping& slots,
                              const SearchLimits& limits = {});

}  // namespace postage
