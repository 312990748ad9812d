#pragma once

#include "preload/schedules/schedule_runner.hpp"

#include <postage/schedule/algorithms.hpp>

#include <cstdint>

namespace postage::preload {

/// The schedules among the leaders of so many ranks' nodes: those that the file of decisions says for one rank a node,
/// or else for the ranks themselves, or else usual ones.
[[nodiscard]] ScheduleRunner::Build leader_schedules(std::int32_t ranks, std::int32_t nodes);

/// A schedule for any number of ranks, in the order of the ranks where the operation asks for that.
[[nodiscard]] const Algorithm& usual_algorithm(Collective collective, Rank ranks, bool commutative);

}  // namespace postage::preload
