#pragma once

#include <postage/base/units.hpp>

namespace postage {

/// True where time is simulated.
[[nodiscard]] bool clock_is_virtual();

/// Seconds since a moment that is the same for all processes of a host. MPI_Wtime is not: Open MPI counts from each
/// process's own start.
[[nodiscard]] Seconds clock_now();

/// Returns at or just after clock_now() == time.
void wait_on_clock_until(Seconds time);

/// Lets the time pass that a simulated processor needs for so many operations; nothing on a real one.
void spend_on_clock(double operations);

}  // namespace postage
