#pragma once

#include <postage/estimate/breaks.hpp>
#include <postage/samples/samples.hpp>

#include <span>
#include <vector>

namespace postage {

/// A level of escalation of gather: the excess in seconds over what small blocks would take, and the share of all
/// repetitions between M_1 and M_2 that took it.
struct LevelEstimate {
  Estimate excess;
  Estimate share;
};

/// What does not escalate: the line of the small blocks, and the least that large ones take.
struct CalmGather {
  FittedLine small;
  Seconds least_large = 0;
};

/// The levels of gathers at medium sizes, the shortest first. Where the repetitions themselves were not kept, their
/// summary stands for them: its modes, or its median and the one repetition that was the longest.
[[nodiscard]] std::vector<LevelEstimate> escalation_levels(std::span<const Measurement* const> gathers,
                                                           const CalmGather& calm);

}  // namespace postage
