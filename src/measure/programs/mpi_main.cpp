#include "measure/programs/arguments.hpp"
#include "measure/programs/results.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/campaign.hpp>
#include <postage/transport/mpi/mpi_program.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>

namespace postage {
namespace {

void measure(const MeasureArguments& arguments) {
  MpiTransport transport(MPI_COMM_WORLD);
  if (transport.rank() == 0) {
    check_output(arguments.output);
  }
  const SampleSet samples = run_campaign(transport, arguments.plan, arguments.settings, hooks_of(arguments));
  if (transport.rank() != 0) {
    return;
  }
  if (!transport.is_virtual() && transport.bound_pu() < 0) {
    warn("ranks are not bound to cores; start them with --bind-to core");
  }
  write_or_print(samples, arguments.output);
}

bool is_first_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

/// Wrong arguments are wrong on every rank: the first one says so, and all leave in order.
int refuse(const std::string& sentence) {
  if (is_first_rank()) {
    fmt::print(stderr, "postage-measure: {}\n", sentence);
  }
  return 2;
}

int run(int argc, char** argv) {
  try {
    const MeasureArguments arguments = parse_measure_arguments(argc, argv);
    if (!arguments.help.empty()) {
      if (is_first_rank()) {
        fmt::print("{}", arguments.help);
      }
    } else {
      measure(arguments);
    }
  } catch (const UsageError& mistake) {
    return refuse(mistake.what());
  }
  return 0;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  return postage::run_mpi_program("postage-measure", argc, argv, [&] { return postage::run(argc, argv); });
}
