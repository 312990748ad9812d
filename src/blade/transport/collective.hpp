#pragma once

#include "blade/hardware/session.hpp"

#include <postage/schedule/schedule.hpp>

namespace postage::blade {

/// Runs a schedule once on the first so many SPEs, its bytes included, and checks what each ends with. A rank leaves a
/// round when its messages have been acknowledged (Ali et al., sections 4 and 5.2); those of one round are all started
/// at once. Cycles from the common start until all have left, acknowledgements included. Combining takes the SPU's
/// time; copies within a local store take none, as programs for a Cell are written without them. Throws Error where a
/// rank ends with wrong bytes, or where its buffers are larger than a local store.
[[nodiscard]] Cycles run_collective(Machine& machine, const Schedule& schedule, Bytes element_bytes);

/// What the rank that needs most needs for buffers.
[[nodiscard]] Bytes memory_of(const Schedule& schedule);

}  // namespace postage::blade
