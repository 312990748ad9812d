#include "estimate/flow/size_votes.hpp"

#include "unit/estimate/synthetic_campaign.hpp"

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Bytes kAwaited = 512;
constexpr int kRanks = 6;

/// Ranks 0 and 1 are slow, and only they were measured beside the threshold: medians over all pairs would leap at 257
/// bytes. Rank 2 sends to 1, so that the two ranks of a pair differ.
class MixedPairs {
 public:
  explicit MixedPairs(bool with_overheads) : samples_(without_measurements(kRanks)) {
    samples_.is_virtual = true;
    for (const Bytes bytes : {64, 256, 257, 384, 511, 512, 1024}) {
      add(0, 1, bytes, with_overheads);
    }
    for (const Bytes bytes : {64, 256, 1024}) {
      add(1, 2, bytes, with_overheads);
      add(2, 3, bytes, with_overheads);
      add(4, 5, bytes, with_overheads);
    }
  }

  [[nodiscard]] const SampleSet& samples() const { return samples_; }

 private:
  static Seconds busy(int rank) { return rank < 2 ? 9e-6 : 1e-6; }

  void add(int a, int b, Bytes bytes, bool with_overheads) {
    const Seconds wire = 2e-6 + 1e-10 * static_cast<double>(bytes);
    const auto measure = [&](const Experiment& experiment, Seconds time) {
      samples_.measurements.push_back(repeated(experiment, time, {.repetitions = 2}, samples_.measurements.size()));
    };
    measure({.kind = ExperimentKind::kRoundtrip, .source = a, .target = b, .bytes = bytes, .reply_bytes = bytes},
            2 * (busy(a) + wire + busy(b)));
    if (with_overheads) {
      measure({.kind = ExperimentKind::kSendOverhead, .source = a, .target = b, .bytes = bytes}, busy(a));
      measure({.kind = ExperimentKind::kDelayedReceive, .source = a, .target = b, .bytes = bytes},
              busy(a) + (bytes < kAwaited ? 0 : wire));
    }
  }

  SampleSet samples_;
};

TEST(SizeVotes, SayFromWhichSizeOnMostPairsAwait) {
  const MixedPairs mixed(true);
  const CampaignData campaign(mixed.samples());
  const SizeVotes votes = awaited_by_pairs(campaign, campaign.scopes.front());
  ASSERT_EQ(votes.size(), 7U);
  const std::size_t first = first_that_do(votes);
  ASSERT_LT(first, votes.size());
  EXPECT_EQ(votes[first].first, kAwaited);
  EXPECT_EQ(first_that_do(kept_by_pairs(campaign.scopes.front())), 7U);
}

TEST(SizeVotes, AreNoneOfPairsWithoutOverheads) {
  const MixedPairs mixed(false);
  const CampaignData campaign(mixed.samples());
  EXPECT_TRUE(awaited_by_pairs(campaign, campaign.scopes.front()).empty());
  EXPECT_TRUE(kept_by_pairs(campaign.scopes.front()).empty());
}

TEST(SizeVotes, AreOutvotedWhereNoiseHasOneSayOtherwise) {
  EXPECT_EQ(first_that_do({{1, false}, {2, true}, {4, false}, {8, true}, {16, true}}), 3U);
  EXPECT_EQ(first_that_do({{1, false}, {2, false}}), 2U);
  EXPECT_EQ(first_that_do({{1, true}, {2, true}}), 0U);
}

}  // namespace
}  // namespace postage
