// The receive port of LogGP and its kin: numbers worked out by hand.
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Bytes kK = 1024;
constexpr const char* kLogGP = "L=5us,o=1us,g=2us,G=1ns";

double microseconds(Collective collective, std::string_view algorithm, const ScheduleRequest& request,
                    std::string_view model = "loggp", std::string_view parameters = kLogGP) {
  const std::vector<std::string> all{"all"};
  return 1e6 * evaluate(Evaluator::kTimeline, build_schedule(find_algorithm(collective, algorithm), request),
                        ChannelMap::single_channel(), build_model(parse_parameters(model, parameters), all));
}

// Messages of 1K reach rank 0 from 1 and 4 at 7.023, from 2 (which has waited for 3 until 8.023) at 15.046. The port
// lets them in at 7.023, 7.023 + 3.023 = 10.046 and 15.046; the processor takes 1's to 8.023, 2's to 16.046, 4's to
// 17.046. In the program's order 4's would end at 15.046 + 3.023.
TEST(ReceivePort, ServesAMessageThatOvertakesInAReduction) {
  EXPECT_NEAR(microseconds(Collective::kReduce, "binomial", {.ranks = 5, .bytes = kK}), 17.046, 1e-9);
}

// With P = 6 rank 4 waits for 5 too: arrivals at 7.023 and twice 15.046; ends 7.023, 15.046, 18.069.
TEST(ReceivePort, KeepsMessagesOfOneMomentInTheProgramsOrder) {
  EXPECT_NEAR(microseconds(Collective::kReduce, "binomial", {.ranks = 6, .bytes = kK}), 19.069, 1e-9);
}

// 4 has 64K of 5 and of 6 in at 71.535 and 139.07, sends 192K at 140.07, which arrive at 342.677. At rank 0, 128K of 2
// end at 209.606: the port needs 2 + 196.607 for 4's, until 408.213.
TEST(ReceivePort, IsBusyForTheArrivingMessagesBytes) {
  EXPECT_NEAR(microseconds(Collective::kGather, "binomial", {.ranks = 7, .bytes = 64 * kK}), 409.213, 1e-9);
}

// 4 sends its own 64K at once, so that they arrive with 1's, at 71.535, and end at 139.07; 2's 128K, at 209.606, then
// end at 139.07 + 133.071 = 272.141; the processor takes in 2's, then 4's: 274.141.
TEST(ReceivePort, LetsAMessageWaitForOneThatOvertookIt) {
  EXPECT_NEAR(microseconds(Collective::kGather, "binomial", {.ranks = 5, .bytes = 64 * kK}), 274.141, 1e-9);
}

// 32K and 16K: (7 + 32.767) + (7 + 16.383). The second needs 2 + 16.383 after the end of the first, at 38.767: no wait.
TEST(ReceivePort, DoesNotHoldUpAShorterMessageForALongerOnesGap) {
  EXPECT_NEAR(microseconds(Collective::kReduceScatter, "recursive-halving", {.ranks = 4, .bytes = 64 * kK}), 63.15,
              1e-9);
}

// Three that arrive at 7.023: ends 7.023, 10.046, 13.069.
TEST(ReceivePort, SpacesTheMessagesOfOneRound) {
  EXPECT_NEAR(microseconds(Collective::kGather, "linear", {.ranks = 4, .bytes = kK}), 14.069, 1e-9);
}

// 1000, 3000 and 2000 bytes arrive at 6.999, 8.999 and 7.999. The port lets in 2000 bytes at 6.999 + 3.999 = 10.998 and
// then 3000 at 10.998 + 4.999 = 15.997. The round's messages are awaited together: the processor takes them in as they
// come.
TEST(ReceivePort, ServesUnevenMessagesOfOneRoundAsTheyArrive) {
  EXPECT_NEAR(microseconds(Collective::kGather, "linear", {.ranks = 4, .block_bytes = {0, 1000, 3000, 2000}}), 16.997,
              1e-9);
}

// As the reduction above with nothing for the bytes: arrivals at 6, 6 and 13; ends 6, 8, 13; 7, 14, 15.
TEST(ReceivePort, IsThatOfLogPToo) {
  EXPECT_NEAR(microseconds(Collective::kReduce, "binomial", {.ranks = 5, .bytes = kK}, "logp", "L=5us,o=1us,g=2us"), 15,
              1e-9);
}

// Arrivals after 1 + 12: at 13, 13 and 14 + 13 = 27; ends 13, 17, 27; 14, 28, 29.
TEST(ReceivePort, IsThatOfPLogPToo) {
  EXPECT_NEAR(
      microseconds(Collective::kReduce, "binomial", {.ranks = 5, .bytes = kK}, "plogp", "L=10us,o_s=1us,o_r=1us,g=4us"),
      29, 1e-9);
}

// Each message keeps the port for all of its 11.024: arrivals at 11.024, 11.024 and 22.048 end
// at 11.024, 22.048, 33.072.
TEST(ReceivePort, IsThatOfHockneyToo) {
  EXPECT_NEAR(
      microseconds(Collective::kReduce, "binomial", {.ranks = 5, .bytes = kK}, "hockney", "alpha=10us,beta=1ns"),
      33.072, 1e-9);
}

// Above S a message leaves 2(L + 2o) = 14 later, during which the target's port is free: 64K arrive from 1 and 4 at
// 85.535 and end at 85.535 and 153.07; 128K leave 2 at 86.535, arrive at 237.606, end at 153.07 + 133.071 = 286.141.
TEST(ReceivePort, IsFreeDuringARendezvous) {
  EXPECT_NEAR(microseconds(Collective::kGather, "binomial", {.ranks = 5, .bytes = 64 * kK}, "loggps",
                           "L=5us,o=1us,g=2us,G=1ns,S=32K"),
              288.141, 1e-9);
}

// The root's link cannot take in 32 blocks of 64K sooner than their bytes pass.
TEST(ReceivePort, TakesNoMoreThanItsLinkCan) {
  const double gather = microseconds(Collective::kGather, "binomial", {.ranks = 33, .bytes = 64 * kK});
  EXPECT_GE(gather, 32 * 65.536);
  EXPECT_LE(gather, 1.02 * 32 * 65.536);
}

}  // namespace
}  // namespace postage
