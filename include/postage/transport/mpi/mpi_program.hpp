#pragma once

#include <mpi.h>

#include <cstdio>
#include <exception>

namespace postage {

/// What main() of a program under MPI does: initialises MPI, runs `run()` and returns its status. One rank's failure
/// would leave the others waiting for ever, so an exception is printed after `name` and ends them all.
template <typename Run>
int run_mpi_program(const char* name, int argc, char** argv, const Run& run) {
  MPI_Init(&argc, &argv);
  try {
    const int status = run();
    MPI_Finalize();
    return status;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s: %s\n", name, failure.what());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
}

}  // namespace postage
