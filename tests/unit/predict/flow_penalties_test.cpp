#include <postage/predict/flows/flows.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace postage {
namespace {

constexpr Bytes kLargeMessage = 1'000'000;
constexpr Seconds kUndisturbed = 1e-3;  ///< of a megabyte at 1 GB/s
constexpr FlowPenalties kPenalties{.sending = 0.9, .receiving = 0.8, .crossing = 1.5};

std::vector<Seconds> ends_of(const std::vector<StartedMessage>& messages, double seconds_per_byte = 1e-9) {
  constexpr int kRanks = 8;
  Platform platform{.name = "cards", .implementation = "none", .channels = {kInterNode}};
  for (int rank = 0; rank < kRanks; ++rank) {
    platform.nodes.push_back({"h", {{Core{}}}});
    platform.ranks.push_back({rank, 0});
  }
  platform.network = NetworkStructure{};
  FlowLink link;
  link.seconds_per_byte = seconds_per_byte;
  Flow model{.penalties = kPenalties};
  model.links.set_channel(0, {{0, link}});
  return play_messages(messages, kRanks, {platform, Mapping::explicit_placements(platform.ranks)}, model).finish;
}

TEST(FlowPenalties, LeaveAMessageAloneAsItIs) {
  EXPECT_NEAR(ends_of({{0, 1, kLargeMessage}})[1], kUndisturbed, 1e-9);
}

/// As where a busy machine's times show no rate.
TEST(FlowPenalties, DoNotSlowWhatTakesNoTimeForItsBytes) {
  EXPECT_EQ(ends_of({{0, 1, kLargeMessage}, {0, 2, kLargeMessage}}, 0), std::vector<Seconds>(8, 0));
}

TEST(FlowPenalties, SlowMessagesOfOneSourceByTheirNumber) {
  const std::vector<Seconds> ends = ends_of({{0, 1, kLargeMessage}, {0, 2, kLargeMessage}, {0, 3, kLargeMessage}});
  EXPECT_NEAR(ends[1], 3 * 0.9 * kUndisturbed, 1e-9);
  EXPECT_NEAR(ends[3], 3 * 0.9 * kUndisturbed, 1e-9);
}

TEST(FlowPenalties, SlowMessagesToOneTargetByTheirSources) {
  EXPECT_NEAR(ends_of({{1, 0, kLargeMessage}, {2, 0, kLargeMessage}, {3, 0, kLargeMessage}})[0], 3 * 0.8 * kUndisturbed,
              1e-9);
}

/// 0 sends to 1, and to 4, which two others send to: both messages of 0 are slowed alike, though 1 has room.
TEST(FlowPenalties, SlowAllMessagesOfASourceWhereOneCrossesOthers) {
  const std::vector<Seconds> ends =
      ends_of({{0, 1, kLargeMessage}, {0, 4, kLargeMessage}, {2, 4, kLargeMessage}, {3, 4, kLargeMessage}});
  EXPECT_NEAR(ends[1], 2 * 0.9 * 1.5 * kUndisturbed, 1e-9);
  EXPECT_NEAR(ends[4], 2 * 0.9 * 1.5 * kUndisturbed, 1e-9);
}

/// The short one ends after 2 x 0.9 of its time; then the long one goes on alone.
TEST(FlowPenalties, EndWithTheMessagesThatCausedThem) {
  const std::vector<Seconds> ends = ends_of({{0, 1, kLargeMessage / 2}, {0, 2, kLargeMessage}});
  EXPECT_NEAR(ends[1], 0.9 * kUndisturbed, 1e-9);
  EXPECT_NEAR(ends[2], 0.9 * kUndisturbed + kUndisturbed / 2, 1e-9);
}

/// 1 and 2 send two short messages each to 0, and 3 two long ones: each is slowed 2 x 3 x 0.8 times, until the short
/// ones end at one moment, one after the other. The last message of 1 changes nobody's rate, but those of 2 that are
/// left then do, until the last of these: from then on, 3 and what is left of 2 count as two sources. Half of the long
/// ones is left.
TEST(FlowPenalties, AreRenewedByEachMessageThatEnds) {
  constexpr Bytes kShort = kLargeMessage / 2;
  const std::vector<Seconds> ends = ends_of(
      {{1, 0, kShort}, {1, 0, kShort}, {2, 0, kShort}, {2, 0, kShort}, {3, 0, kLargeMessage}, {3, 0, kLargeMessage}});
  EXPECT_NEAR(ends[0], (2 * 3 * 0.8 + 2 * 2 * 0.8) / 2 * kUndisturbed, 1e-9);
}

}  // namespace
}  // namespace postage
