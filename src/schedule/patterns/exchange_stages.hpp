#pragma once

#include <postage/schedule/algorithms.hpp>

#include <vector>

namespace postage {

// Stages that several exchanges of blocks are made of, and their layouts.

/// One block for each rank's contribution: ScheduleRequest::bytes each, or as listed.
[[nodiscard]] BlockLayout contribution_layout(const ScheduleRequest& request);

/// The blocks of an all-to-all: source*P + destination for each pair, a rank's own included.
[[nodiscard]] BlockLayout pair_layout(const ScheduleRequest& request);

/// All patterns start together.
[[nodiscard]] Round round_of(std::vector<Pattern> patterns);

/// Within each group of `group` consecutive virtual ranks (the last may be smaller), every block goes to the group's
/// first rank up a binomial tree, smallest sub-trees first: log2(group) rounds. `group` is a power of two, or at least
/// P. Virtual rank v is rank root + v.
[[nodiscard]] Stage binomial_gather_stage(Index ranks, Index root, Index group);

/// The reverse: the root's blocks go down a binomial tree, largest sub-trees first.
[[nodiscard]] Stage binomial_scatter_stage(Index ranks, Index root);

/// The same tree, but every parent sends its smallest sub-tree's blocks first. O(log^2 ranks) rounds.
[[nodiscard]] Stage rising_scatter_stage(Index ranks, Index root);

/// Every `group`-th rank has its group's blocks and ends with all: recursive doubling among these leaders. Where their
/// number is no power of two, the first leaders are folded: every second one hands its blocks to the next one before,
/// and gets what it lacks after.
[[nodiscard]] std::vector<Stage> doubling_stages(Index ranks, Index group);

}  // namespace postage
