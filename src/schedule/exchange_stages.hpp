#pragma once

#include <postage/schedule/algorithms.hpp>

#include <vector>

namespace postage {

// Stages that several collectives are made of. Virtual rank 0 is the root, and virtual rank v is rank root + v.

/// One block for each rank's contribution: ScheduleRequest::bytes each, or as listed.
[[nodiscard]] BlockLayout contribution_layout(const ScheduleRequest& request);

/// The blocks of an all-to-all: source*P + destination for each pair, a rank's own included.
[[nodiscard]] BlockLayout pair_layout(const ScheduleRequest& request);

/// Virtual rank v is rank root + v.
[[nodiscard]] Numbering from_root_on(const ScheduleRequest& request);

/// All patterns start together.
[[nodiscard]] Round round_of(std::vector<Pattern> patterns);

/// The largest power of two that is not above `value` >= 1.
[[nodiscard]] Index power_of_two_below(Index value);

/// Within each group of `group` consecutive virtual ranks (the last may be smaller), every block goes to the group's
/// first rank up a binomial tree, smallest sub-trees first: log2(group) rounds. `group` is a power of two, or at least
/// P.
[[nodiscard]] Stage binomial_gather_stage(Index ranks, Index root, Index group);

/// The reverse: the root's blocks go down a binomial tree, largest sub-trees first.
[[nodiscard]] Stage binomial_scatter_stage(Index ranks, Index root);

/// All vectors, of P blocks, are reduced to rank 0 up a binomial tree, in rank order.
[[nodiscard]] Stage binomial_reduce_stage(Index ranks);

/// Within each group of `group` consecutive ranks, the first one's blocks, all P of them, go to the others down a
/// binomial tree.
[[nodiscard]] Stage binomial_spread_stage(Index ranks, Index group);

/// Every `group`-th rank has its group's blocks and ends with all: recursive doubling among these leaders. Where their
/// number is no power of two, the first leaders are folded: every second one hands its blocks to the next one before,
/// and gets what it lacks after.
[[nodiscard]] std::vector<Stage> doubling_stages(Index ranks, Index group);

}  // namespace postage
