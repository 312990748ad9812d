#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/estimate.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace postage {
namespace {

const ParameterGroup& loggp_of_pair(const Platform& platform, int first, int second) {
  const auto table =
      std::ranges::find_if(platform.models, [](const ParameterTable& one) { return one.model == "loggp"; });
  return *std::ranges::find_if(table->groups, [&](const ParameterGroup& group) {
    return group.scope.first == first && group.scope.second == second;
  });
}

// A train's messages follow one another at the pace of the slowest of both processors and the link.
TEST(GapPerByte, IsThatOfTheSlowestStageBySaturation) {
  const std::vector<Bytes> sizes{0, 1, 1024, 4096, 16384, 65536, 262144};
  const KnownCluster cluster = known_cluster(4);
  const SampleSet samples =
      measured(4, all_experiments(4, sizes, {0, 32768}), [&](const Experiment& e) { return cluster.time_of(e); }, {});
  const Platform by_slope = estimate_platform(samples, "known");
  const Platform saturated = estimate_platform(samples, "known", {.gap_per_byte = PerByteMethod::kSaturation});
  const auto size = static_cast<double>(sizes.back());
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      const double wire = cluster.wire[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      const double slowest =
          std::max({cluster.busy(i, sizes.back()), cluster.busy(j, sizes.back()), wire * size}) / size;
      const double found = loggp_of_pair(saturated, i, j).values.at("G").value;
      EXPECT_NEAR(found / slowest, 1, 1e-9);
      EXPECT_LT(found, loggp_of_pair(by_slope, i, j).values.at("G").value);
    }
  }
  EXPECT_EQ(parse_per_byte_method("saturation"), PerByteMethod::kSaturation);
  EXPECT_THROW(static_cast<void>(parse_per_byte_method("rate")), UsageError);
}

}  // namespace
}  // namespace postage
