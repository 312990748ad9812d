// What one transfer costs, model by model, by the paper's equation worked out by hand.
#include <postage/base/error.hpp>
#include <postage/model/lmo.hpp>
#include <postage/model/model.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

Model parse(std::string_view model, std::string_view text) {
  const ParameterTable table = parse_parameters(model, text);
  return build_model(table, channels_of(table));
}

void expect_cost(const TransferCost& c, Seconds sender, Seconds wire, Seconds receiver, Seconds gap) {
  EXPECT_DOUBLE_EQ(c.sender_busy, sender);
  EXPECT_DOUBLE_EQ(c.wire, wire);
  EXPECT_DOUBLE_EQ(c.receiver_busy, receiver);
  EXPECT_DOUBLE_EQ(c.gap, gap);
}

TEST(LogP, TakesEveryMessageForASmallOneUnlessToldHowMuchOneCarries) {
  expect_cost(cost(parse("logp", "L=5,o=1,g=2"), {.bytes = 1 << 20}), 1, 5, 1, 2);
  const Model packets = parse("logp", "L=5,o_s=1,o_r=3,g=2,w=8B");
  expect_cost(cost(packets, {.bytes = 0}), 1, 5, 3, 2);
  expect_cost(cost(packets, {.bytes = 8}), 1, 5, 3, 2);
  expect_cost(cost(packets, {.bytes = 17}), 1 + 2 * 3, 5, 3, 2 + 2 * 3);
}

TEST(LogGPS, MeetsTheReceiverAboveS) {
  const Model model = parse("loggps", "L=5,o=1,g=2,G=0.5,S=10");
  expect_cost(cost(model, {.bytes = 10}), 1, 5 + 4.5, 1, 2 + 4.5);
  expect_cost(cost(model, {.bytes = 11}), 1 + 14, 5 + 5, 1, 2 + 5 + 14);
  expect_cost(cost(parse("loggps", "L=5,o=1,g=2,G=0,S=0,h=3"), {.bytes = 1}), 4, 5, 1, 5);
}

TEST(LogGPH, HasASetForEachChannelAndIsBlindToConcurrency) {
  const Model model = parse("loggph", "[a] L=1,o=1,g=1,G=0 [b] L=7,o=1,g=1,G=0");
  EXPECT_EQ(cost(model, {.channel = 0}).total(), 3);
  EXPECT_EQ(cost(model, {.channel = 1}).total(), 9);
  EXPECT_EQ(cost(model, {.channel = 1}), cost(model, {.channel = 1, .concurrency = 8}));
  EXPECT_THROW(static_cast<void>(cost(model, {.channel = 2})), Error);
}

TEST(LogGPC, AddsContention) {
  const Model model = parse("loggpc", "L=5,o=1,g=2,G=0.5,C=0/4:6;100/4:12");
  EXPECT_EQ(cost(model, {.bytes = 1}).wire, 5);
  EXPECT_DOUBLE_EQ(cost(model, {.bytes = 1, .concurrency = 4}).wire, 5 + 6.06);
  EXPECT_DOUBLE_EQ(cost(model, {.bytes = 100, .concurrency = 2}).wire, 5 + 49.5 + 4);
  EXPECT_DOUBLE_EQ(cost(parse("lopc", "L=5,o=1,g=2,C=0/2:3"), {.bytes = 999, .concurrency = 2}).total(), 10);
}

TEST(PLogP, CostsLatencyAndGap) {
  const Model model = parse("plogp", "L=4,o_s=0:1;10:2,o_r=0:1;10:3,g=0:2;10:7");
  expect_cost(cost(model, {.bytes = 0}), 1, 4, 1, 2);
  expect_cost(cost(model, {.bytes = 5}), 1.5, 4 + 4.5 - 1.5 - 2, 2, 4.5);
}

TEST(PLogP, LetsOverheadsOfOneMessageOverlap) {
  const TransferCost c = cost(parse("plogp", "L=1,o=8,g=8"), {.bytes = 3});
  EXPECT_EQ(c.total(), 9);
  EXPECT_EQ(c.sender_busy, 8);
  EXPECT_EQ(c.wire, 0);
}

TEST(PLogP, RefusesAGapBelowAnOverhead) {
  try {
    static_cast<void>(parse("plogp", "L=1,o_s=1,o_r=0:1;64K:9,g=0:2;64K:8"));
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "--params: parameter g of the plogp model for channel all is 8 s at 65536 bytes, below o_r = 9 s; a "
                 "gap covers both overheads");
  }
}

TEST(Lmo, TakesProcessorsAndLinksApart) {
  const Model model = parse("lmo", "C=1,t=0.25,beta=2B/s [processor 1] C=3,t=0.5 [pair 0 1] beta=4B/s");
  expect_cost(cost(model, {.source = 0, .target = 1, .bytes = 8}), 3, 2, 7, 0);
  expect_cost(cost(model, {.source = 1, .target = 0, .bytes = 8}), 7, 2, 3, 0);
  expect_cost(cost(model, {.source = 1, .target = 2, .bytes = 8}), 7, 4, 3, 0);
  expect_cost(cost(model, {.bytes = 8}), 3, 4, 3, 0);
}

TEST(Lmo, SaysWhichProcessorItDoesNotKnow) {
  const Model model = parse("lmo", "beta=2B/s [processor 0] C=1,t=1");
  EXPECT_THROW(static_cast<void>(cost(model, {.source = 0, .target = 1})), Error);
  EXPECT_THROW(static_cast<void>(cost(model, {})), Error);
}

TEST(Lmo, KeepsTheLimitsOfItsFans) {
  const auto limits = [](const std::string& more) { return *parse("lmo", "C=1,t=1,beta=1B/s" + more).fan_limits(); };
  EXPECT_EQ(limits(",S=64K,M_1=4K,M_2=65K,kappa_1=1ns,kappa_2=-2ns"), (FanLimits{65536, 4096, 66560, 1e-9, -2e-9}));
  EXPECT_EQ(limits(""), FanLimits{});
  EXPECT_EQ(limits(",S=64K"), (FanLimits{.scatter_step = 65536}));
  const FanLimits escalating = limits(",M_1=1,M_2=9,E_2=400ms,f_2=0.02,E_1=200ms,f_1=0.1,E_3=1s");
  EXPECT_EQ(escalating.levels, (std::vector<EscalationStep>{{0.2, 0.1}, {0.4, 0.02}, {1, std::nullopt}}));
  EXPECT_EQ(escalating.longest_escalation(), 1);
}

TEST(Lmo, RefusesLimitsThatCannotBe) {
  for (const char* more : {"S=1,M_1=9,M_2=8", "M_1=9", "M_2=9", "f_1=0.5", "E_1=1,f_1=0.6,E_2=2,f_2=0.6"}) {
    EXPECT_THROW(static_cast<void>(parse("lmo", std::string("C=1,t=1,beta=1B/s,") + more)), UsageError) << more;
  }
}

TEST(Lmo, TakesARateAtTheOtherEndOfItsInterval) {
  const ParameterTable table = parse_parameters("lmo", "C=0,t=0,beta=2B/s<4B/s<8B/s");
  const auto time = [&](Bound bound) { return cost(build_model(table, {}, bound), {.bytes = 8}).total(); };
  EXPECT_EQ(time(Bound::kLower), 1);
  EXPECT_EQ(time(Bound::kValue), 2);
  EXPECT_EQ(time(Bound::kUpper), 4);
}

TEST(LogNP, AddsUpItsTransfers) {
  const Model model = parse("lognp", "o_0=1,o_1=0:10;8:18,o_2=2,o_3=3,l_0=0/64:0;8/64:4,l_3=0/64:8");
  expect_cost(cost(model, {.bytes = 8}), 1, 20, 3, 0);
  expect_cost(cost(model, {.bytes = 8, .stride = 64}), 5, 20, 11, 0);
  expect_cost(cost(parse("lognp", "o_0=1"), {}), 1, 0, 0, 0);
}

TEST(LogNP, RefusesAGapInItsNumbering) {
  EXPECT_THROW(static_cast<void>(parse("lognp", "o_0=1,o_2=1")), UsageError);
  EXPECT_THROW(static_cast<void>(parse("lognp", "o_0=1,l_1=1")), UsageError);
  EXPECT_THROW(static_cast<void>(parse("lognp", "o_1=1")), UsageError);
  EXPECT_THROW(static_cast<void>(parse("lognp", "[a] o_0=1 [b] o_0=2")), UsageError);
}

TEST(LogNP, RefusesAStridedMessageOfWhichItKnowsNothing) {
  EXPECT_THROW(static_cast<void>(cost(parse("log3p", "o_mw=1,o_net=1"), {.bytes = 1, .stride = 8})), Error);
}

TEST(Log3P, SplitsTheMiddlewareBetweenTheEnds) {
  const Model model = parse("log3p", "o_mw=4,l_mw=0/8:2;0/16:6,o_net=5");
  expect_cost(cost(model, {.bytes = 1}), 2, 5, 2, 0);
  expect_cost(cost(model, {.bytes = 1, .stride = 12}), 4, 5, 4, 0);
}

TEST(TwoLog, HasNoNetworkWithinANode) {
  const Model model = parse("2log23p", "[shared-cache] o_mw=2 [inter-node] o_mw=4,o_net=5");
  expect_cost(cost(model, {.channel = 0}), 1, 0, 1, 0);
  expect_cost(cost(model, {.channel = 1}), 2, 5, 2, 0);
}

TEST(MLogNP, HasItsOwnNumberOfTransfersAtEachLevel) {
  const Model model = parse("mlognp", "[a] o_0=1 [b] o_0=1,o_1=2 [c] o_0=1,o_1=2,o_2=3");
  EXPECT_EQ(cost(model, {.channel = 0}).total(), 1);
  EXPECT_EQ(cost(model, {.channel = 1}).total(), 3);
  EXPECT_EQ(cost(model, {.channel = 2}).total(), 6);
}

constexpr const char* kTwoChannels =
    "[memory] o=1,L=0/1:2;8/1:4;0/4:5;8/4:10,n=2 [network] o=3,L=0/1:10;8/1:20;0/2:20;8/2:40,n=1,n@memory=2";

TEST(TauLop, MultipliesTransfersAndNeverTheOverhead) {
  const Model model = parse("taulop", kTwoChannels);
  expect_cost(cost(model, {.bytes = 8}), 5, 0, 4, 0);
  expect_cost(cost(model, {.bytes = 8, .concurrency = 4}), 11, 0, 10, 0);
  expect_cost(cost(model, {.bytes = 8, .concurrency = 2}), 1 + 6, 0, 6, 0);
}

TEST(TauLop, PassesTheMemoryAtBothEndsOfANetwork) {
  const Model model = parse("taulop", kTwoChannels);
  expect_cost(cost(model, {.channel = 1, .bytes = 8}), 3 + 4, 20, 4, 0);
  expect_cost(cost(model, {.channel = 1, .bytes = 8, .concurrency = 2, .sending_concurrency = 4}), 3 + 10, 40, 4, 0);
  expect_cost(cost(model, {.channel = 1, .bytes = 8, .receiving_concurrency = 4}), 3 + 4, 20, 10, 0);
}

TEST(TauLop, SendsSegmentsThroughASharedBuffer) {
  const Model model = parse("taulop", "o=1,L=0/1:0;8/1:4;0/2:0;8/2:6;0/4:0;8/4:10,n=2,S=8");
  EXPECT_EQ(cost(model, {.bytes = 8}).total(), 1 + 2 * 4);
  EXPECT_EQ(cost(model, {.bytes = 24}).total(), 1 + 2 * 4 + 2 * 6);
  EXPECT_EQ(cost(model, {.bytes = 24, .concurrency = 2}).total(), 1 + 2 * 6 + 2 * 10);
  EXPECT_EQ(cost(model, {.bytes = 12}).total(), 1 + 4 + 6 + 2);  // the last segment has 4 bytes
}

TEST(TauLop, RefusesWhatCannotBe) {
  EXPECT_THROW(static_cast<void>(parse("taulop", "o=1,L=1,n=0")), UsageError);
  EXPECT_THROW(static_cast<void>(parse("taulop", "o=1,L=1,n=1.5")), UsageError);
  EXPECT_THROW(static_cast<void>(parse("taulop", "o=1,L=1,n=1,S=8")), UsageError);
  EXPECT_THROW(static_cast<void>(parse("taulop", "[b] o=1,L=1,n=1,n@moon=2")), UsageError);
  EXPECT_THROW(static_cast<void>(parse("taulop", "[a] o=1,L=1,n=2 [b] o=1,L=1,n=1,n@a=1")), UsageError);
}

TEST(CellPLogP, FoldsTheOverheadsIntoTheLatency) {
  const Model model = parse("plogp-cell", "L=16:1;32:2,g=16:0.5;32:1.5,C=0/2:0;32/2:0;0/4:0;32/4:3,m_C=0");
  expect_cost(cost(model, {.bytes = 0}), 0, 1, 0, 0.5);
  expect_cost(cost(model, {.bytes = 9}), 0, 1, 0, 0.5);  // 16 bytes are the smallest message
  expect_cost(cost(model, {.bytes = 32, .concurrency = 3, .opposing = 1}), 0, 5, 0, 1.5);  // n = 4
  expect_cost(cost(model, {.bytes = 32, .concurrency = 3}), 0, 3.5, 0, 1.5);
  expect_cost(cost(model, {.bytes = 32, .concurrency = 2}), 0, 2, 0, 1.5);
}

TEST(CellPLogP, CongestsAbove256BytesAndTwoMessages) {
  const char* const text = "L=0,g=0,C=0/2:7;1M/2:7;0/16:7;1M/16:7";
  const auto wire = [](const std::string& parameters, Bytes bytes, double messages) {
    return cost(parse("plogp-cell", parameters), {.bytes = bytes, .concurrency = messages}).wire;
  };
  EXPECT_EQ(wire(text, 256, 16), 0);
  EXPECT_EQ(wire(text, 257, 2), 0);
  EXPECT_EQ(wire(text, 257, 3), 7);
  EXPECT_EQ(wire(std::string(text) + ",m_C=300", 300, 3), 0);
  EXPECT_EQ(wire(std::string(text) + ",m_C=300", 301, 3), 7);
  EXPECT_EQ(wire(std::string(text) + ",n_C=5", 257, 5), 0);
  EXPECT_EQ(wire(std::string(text) + ",n_C=5", 257, 6), 7);
}

TEST(CombineCost, IsGammaAndZeroWithout) {
  EXPECT_EQ(combine_cost(parse("hockney", "alpha=1,beta=1"), 8), 0);
  EXPECT_EQ(combine_cost(parse("hockney", "alpha=1,beta=1,gamma=2"), 8), 16);
  EXPECT_EQ(combine_cost(parse("loggph", "gamma=0.5 [a] L=1,o=1,g=1,G=1"), 8), 4);
  EXPECT_THROW(static_cast<void>(parse("loggph", "[a] L=1,o=1,g=1,G=1,gamma=1 [b] L=1,o=1,g=1,G=1,gamma=2")),
               UsageError);
}

}  // namespace
}  // namespace postage
