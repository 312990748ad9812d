#include "transport/mpi/clock.hpp"

#include <mpi.h>
#include <unistd.h>

namespace postage {

bool clock_is_virtual() {
  return true;
}

Seconds clock_now() {
  return MPI_Wtime();
}

void wait_on_clock_until(Seconds time) {
  // SMPI turns nanosleep into simulated time, to the nanosecond; looking at the clock takes none.
  const Seconds left = time - clock_now();
  if (left > 0) {
    const auto whole = static_cast<time_t>(left);
    const timespec pause{whole, static_cast<long>((left - static_cast<double>(whole)) * 1e9) + 1};
    nanosleep(&pause, nullptr);
  }
}

void spend_on_clock(double operations) {
  if (operations > 0) {
    smpi_execute_flops(operations);
  }
}

}  // namespace postage
