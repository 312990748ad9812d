#pragma once

#include <postage/schedule/schedule.hpp>

namespace postage {

/// The iterations of a schedule's stages, one after the other.
[[nodiscard]] Index step_count(const Schedule& schedule);

/// The stage of each step, with its iteration: "ring, step 3".
[[nodiscard]] std::string step_name(const Schedule& schedule, Index step);

/// The schedule's first `steps` steps: its ranks stop where they are then, so that the time of one step more says what
/// that step takes. 0 and more than there are leave it whole.
[[nodiscard]] Schedule first_steps(Schedule schedule, Index steps);

/// Its first `stages` stages, in the same way.
[[nodiscard]] Schedule first_stages(Schedule schedule, std::size_t stages);

}  // namespace postage
