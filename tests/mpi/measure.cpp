// Times every algorithm of the list once, as postage-measure does, which checks the bytes that arrive. Started by
// mpirun; says what went wrong and exits with 1.
#include <postage/measure/campaign.hpp>
#include <postage/transport/mpi/mpi_program.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>

namespace postage {
namespace {

int run() {
  MpiTransport transport(MPI_COMM_WORLD);
  CampaignPlan plan;
  for (const Algorithm& algorithm : algorithms()) {
    // Whole doubles, and bytes.
    const bool is_barrier = algorithm.collective == Collective::kBarrier;
    for (const Bytes bytes : is_barrier ? std::vector<Bytes>{0} : std::vector<Bytes>{800, 1001}) {
      if (can_do(algorithm, transport.size())) {
        plan.collectives.push_back({.collective = algorithm.collective,
                                    .algorithm = std::string(algorithm.name),
                                    .bytes = bytes,
                                    .segment_bytes = algorithm.segmentable ? 256 : 0,
                                    .root = has_root(algorithm.collective) ? transport.size() - 1 : 0});
      }
    }
  }
  const SampleSet samples = run_campaign(transport, plan, {.least_repetitions = 2, .most_repetitions = 2});
  if (transport.rank() != 0) {
    return 0;
  }
  const auto is_timed = [&](const Measurement& m) { return transport.size() == 1 || m.summary.median > 0; };
  fmt::print("{} collectives timed on {} ranks\n", samples.measurements.size(), transport.size());
  const bool all = !plan.collectives.empty() && samples.measurements.size() == plan.collectives.size();
  return all && std::all_of(samples.measurements.begin(), samples.measurements.end(), is_timed) ? 0 : 1;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  return postage::run_mpi_program("test-measure", argc, argv, postage::run);
}
