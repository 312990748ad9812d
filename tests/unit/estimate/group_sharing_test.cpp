#include "estimate/flow/group_sharing.hpp"

#include "estimate/flow/campaign_fits.hpp"
#include "unit/estimate/synthetic.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <gtest/gtest.h>

namespace postage {
namespace {

/// Seven send to one, whose receives take 4 us each, 28 us: 8 MiB each at 1 GB/s, and 4,096 each, of which some
/// arrive before others and are taken in meanwhile, so that all take 10 us less.
TEST(GroupSharing, TakesNoTimeThatReceivesOverlapForABandwidth) {
  SampleSet samples = measure({.model = "loggps", .parameters = "L=5us,o=4us,g=4us,G=1ns,S=16K", .nodes = 8},
                              {.roundtrips = powers_of_two(), .overheads = {1, 1024, 4096, 16384, 65536}});
  for (const Bytes bytes : {Bytes{4096}, Bytes{8} << 20}) {
    Experiment incast{.kind = ExperimentKind::kIncast, .bytes = bytes, .channel = kInterNode};
    incast.members = {0, 1, 2, 3, 4, 5, 6, 7};
    const Seconds all = 9e-6 + 7 * 1e-9 * static_cast<double>(bytes) + 7 * 4e-6 - (bytes == 4096 ? 10e-6 : 0);
    samples.measurements.push_back(repeated(incast, all, {}, samples.measurements.size()));
  }
  const CampaignData campaign(samples);
  const CampaignFits fits(campaign);
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == ExperimentKind::kIncast) {
      const auto sharing = sharing_in(campaign, m, fits.by_channel.at(kInterNode));
      ASSERT_EQ(sharing.has_value(), m.experiment.bytes > 4096);
      EXPECT_NEAR(sharing ? sharing->rate : 1e9, 1e9, 0.1e9);
    }
  }
}

}  // namespace
}  // namespace postage
