#include "transport/mpi/clock.hpp"

#include <mpi.h>
#include <simgrid/actor.h>

namespace postage {

bool clock_is_virtual() {
  return true;
}

Seconds clock_now() {
  return MPI_Wtime();
}

void wait_on_clock_until(Seconds time) {
  // Not nanosleep, which would end up to a nanosecond late, each time another part of one: ranks that are to start
  // together would not, and times of the same thing would differ. Looking at the clock takes no time.
  const Seconds left = time - clock_now();
  if (left > 0) {
    sg_actor_sleep_for(left);
  }
}

void spend_on_clock(double operations) {
  if (operations > 0) {
    smpi_execute_flops(operations);
  }
}

}  // namespace postage
