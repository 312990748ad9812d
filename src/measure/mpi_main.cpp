#include "measure/arguments.hpp"
#include "transport/mpi/mpi_transport.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/measure/campaign.hpp>

#include <fmt/format.h>
#include <mpi.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace postage {
namespace {

std::string describe(const Experiment& e) {
  if (e.kind == "collective") {
    return fmt::format("{} {}{}", e.collective, e.algorithm,
                       e.segment_bytes > 0 ? ", segments of " + format_bytes(e.segment_bytes) : "");
  }
  return fmt::format("{} {}-{}{}", e.kind, e.source, e.target,
                     e.messages > 1 ? fmt::format(", {} messages", e.messages) : "");
}

void print_table(const SampleSet& samples) {
  fmt::print("{}, {} ranks\n", samples.implementation, samples.ranks.size());
  fmt::print("{:<36} {:>8} {:>12} {:>9} {:>6}\n", "experiment", "size", "median", "+- %", "times");
  for (const Measurement& m : samples.measurements) {
    fmt::print("{:<36} {:>8} {:>12} {:>8.2f}{} {:>6}\n", describe(m.experiment), format_bytes(m.experiment.bytes),
               format_seconds(m.summary.median), 100 * m.summary.median_interval.relative_half_width(m.summary.median),
               m.precise ? ' ' : '!', m.summary.count);
  }
  const auto imprecise = std::count_if(samples.measurements.begin(), samples.measurements.end(),
                                       [](const Measurement& m) { return !m.precise; });
  if (imprecise > 0) {
    fmt::print("! {} of {} did not reach the precision asked for before their share of the budget ended\n", imprecise,
               samples.measurements.size());
  }
}

void measure(const MeasureArguments& arguments) {
  const CampaignPlan& plan = arguments.plan;
  MpiTransport transport(MPI_COMM_WORLD);
  if (transport.size() < 2 && (!plan.roundtrip_sizes.empty() || !plan.train_sizes.empty())) {
    throw UsageError("messages need two ranks; start at least 2, as in mpirun -n 2");
  }
  const SampleSet samples = run_campaign(transport, plan, arguments.settings);
  if (transport.rank() != 0) {
    return;
  }
  if (!transport.is_virtual() && transport.bound_pu() < 0) {
    fmt::print(stderr, "postage-measure: warning: ranks are not bound to cores; start them with --bind-to core\n");
  }
  if (arguments.output.empty()) {
    print_table(samples);
  } else {
    write_json(arguments.output, to_json(samples));
  }
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
  MPI_Finalize();
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
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    return postage::run(argc, argv);
  } catch (const std::exception& failure) {
    // One rank's failure would leave the others waiting for ever.
    fmt::print(stderr, "postage-measure: {}\n", failure.what());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
}
