#include "sim/simulation.hpp"
#include "tuning/decide/candidates.hpp"
#include "tuning/measure/timer.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/launch/virtual_machine.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/predict/model_choice.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace postage {
namespace {

constexpr Rank kRanks = 6;
constexpr std::array<Bytes, 3> kSizes{96, 12'000, 960'000};

/// Open MPI's in-order binary tree is balanced otherwise than ours, and GB is made of what SMPI decides.
double tolerance_of(const DecisionChoice& choice) {
  return choice.algorithm == "in-order-binary" ? 0.25 : choice.algorithm == "gather-bcast" ? 0.1 : 0.05;
}

/// SMPI's own algorithms, as its authors wrote them: nobody here decided when they wait, what they send first, and into
/// what they cut a message.
class SmpiAlgorithms : public testing::TestWithParam<Collective> {
 protected:
  SmpiAlgorithms() {
    const auto machines = virtual_machines();
    const auto machine =
        std::find_if(machines.begin(), machines.end(), [](const auto& m) { return m.name == "multi8x8"; });
    files_ = write_virtual_machine(*machine, 2, Placement::kCyclic, folder_.path());
  }

  [[nodiscard]] static const SampleSet& samples(const VirtualClusterFiles& files) {
    static const SampleSet all =
        simulate(files, kRanks,
                 {"--sizes", "1:1M:x2", "--overhead-sizes", "1:1M:x2", "--train-sizes", "1,16K", "--concurrent-sizes",
                  "1M", "--fan-sizes", "1M", "--butterfly-sizes", "1M", "--control-sizes", "none"});
    return all;
  }

  TemporaryFolder folder_;
  VirtualClusterFiles files_;
};

TEST_P(SmpiAlgorithms, TakeWhatIsPredicted) {
  const Platform platform = estimate_platform(samples(files_), "multi8x8");
  const PlatformModel model(most_accurate(platform.models), platform.channels,
                            ChannelMap(platform, Mapping::explicit_placements(platform.ranks)));
  const TuneRequest request{.target = TuningTarget::kSmpi, .version = {3, 32, 0}, .selector = "ompi"};
  ChoicePredictions predictions(request, model);
  MeasuredTimes times({}, "a job");
  std::vector<TimingRequest> requests;
  for (const Bytes bytes : kSizes) {
    const TuningPoint point{GetParam(), kRanks, bytes};
    requests.push_back({point, candidates_for(request, GetParam(), {kRanks, kRanks}, bytes)});
  }
  const LaunchTarget target{.hostfile = files_.hostfile,
                            .ranks = kRanks,
                            .virtual_platform = files_.platform,
                            .smpi_arguments = files_.smpi_arguments};
  simulated_timer(request, target)->time(requests, false, 60, times, [](double) {});
  for (const auto& [point, choices] : requests) {
    for (const DecisionChoice& choice : choices) {
      const std::vector<double> seen = times.pairs(point, key_of(choice)).tuned;
      ASSERT_FALSE(seen.empty()) << key_of(choice);
      EXPECT_NEAR(predictions.of(point, choice).seconds / seen.front(), 1, tolerance_of(choice))
          << name_of(GetParam()) << " " << key_of(choice) << " of " << point.bytes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, SmpiAlgorithms,
                         testing::Values(Collective::kBcast, Collective::kReduce, Collective::kAllreduce,
                                         Collective::kGather, Collective::kScatter, Collective::kAllgather,
                                         Collective::kAlltoall, Collective::kReduceScatter),
                         [](const auto& param) { return std::string(name_of(param.param)); });

}  // namespace
}  // namespace postage
