// Tu et al., 2009, with numbers worked out by hand from the print: equations 1-5, section IV.B, and collectives of
// strided messages.
#include <postage/base/error.hpp>
#include <postage/predict/formulas/tu.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Strides kStrides{4, 8};

/// At 4K and a stride of 8: o = 10 us, l = 6 us within a node; o' = 20 us, l' = 30 us, o'_net = 100 us between nodes.
constexpr const char* kTwoLevels =
    "[shared-cache] o_mw=0:0us;4K:10us,l_mw=0/8:0us;4K/8:6us;0/64:0us;4K/64:34us,l_hand=0/8:0us;4K/8:2us "
    "[inter-node] o_mw=0:0us;4K:20us,l_mw=0/8:0us;4K/8:30us;0/64:0us;4K/64:86us,l_hand=0/8:0us;4K/8:4us,"
    "o_net=0:0us;4K:100us";

struct Job {
  std::string model = "2log23p";
  std::string parameters = kTwoLevels;
  std::int32_t nodes = 8;
  std::int32_t per_node = 8;
  Strides strides = kStrides;
  std::vector<ChannelLevel> levels{};
  bool by_hand = false;
};

PlatformModel model_of(const Job& job) {
  const ParameterTable table = parse_parameters(job.model, job.parameters);
  const Platform platform = platform_of(table, job.nodes, job.per_node, job.levels);
  const ChannelMap channels(platform, Mapping::block(job.nodes, job.per_node));
  const PlatformModel model(job.by_hand ? packed_by_hand(table) : table, platform.channels, channels);
  return job.strides.is_contiguous() ? model : model.with_strides(job.strides);
}

/// In microseconds.
double time_of(Collective collective, std::string_view algorithm, const Job& job, Bytes bytes = 4096) {
  const Schedule schedule =
      build_schedule(find_algorithm(collective, algorithm),
                     {.ranks = job.nodes * job.per_node, .bytes = bytes, .element_bytes = job.strides.run});
  return 1e6 * predict(schedule, model_of(job)).seconds;
}

double message(const Job& job, Rank target, Bytes bytes = 4096) {
  return 1e6 * predict_message(0, target, bytes, model_of(job)).seconds;
}

TEST(TuEquation1, AddsOverheadAndLatencyOfEveryTransfer) {
  const std::string all = "o_0=3us,l_0=0/8:5us,o_1=20us,o_2=4us,l_2=0/8:6us";
  EXPECT_DOUBLE_EQ(message({.model = "lognp", .parameters = all}, 1), 3 + 5 + 20 + 4 + 6);
  EXPECT_DOUBLE_EQ(message({.model = "lognp", .parameters = all, .strides = {}}, 1), 3 + 20 + 4);
  // n is what the parameters say: 1, 2, 4.
  EXPECT_DOUBLE_EQ(message({.model = "lognp", .parameters = "o_0=3us,l_0=0/8:5us"}, 1), 8);
  EXPECT_DOUBLE_EQ(message({.model = "lognp", .parameters = "o_0=3us,o_1=4us,l_1=0/8:5us"}, 1), 12);
  EXPECT_DOUBLE_EQ(message({.model = "lognp", .parameters = "o_0=3us,o_1=4us,o_2=5us,o_3=6us,l_3=0/8:7us"}, 1), 25);
}

TEST(TuEquation3, AddsMiddlewareAndNetwork) {
  const std::string all = "o_mw=7us,l_mw=0/8:11us,o_net=20us";
  EXPECT_DOUBLE_EQ(message({.model = "log3p", .parameters = all}, 1), 7 + 11 + 20);
  EXPECT_DOUBLE_EQ(message({.model = "log3p", .parameters = all}, 63), 7 + 11 + 20);
  EXPECT_DOUBLE_EQ(message({.model = "log3p", .parameters = all, .strides = {}}, 1), 7 + 20);
}

TEST(TuEquations4And5, TellNodesFromNetwork) {
  EXPECT_DOUBLE_EQ(message({}, 1), 10 + 6);
  EXPECT_DOUBLE_EQ(message({}, 8), 20 + 30 + 100);
  EXPECT_DOUBLE_EQ(message({.strides = {}}, 8), 20 + 100);
  EXPECT_DOUBLE_EQ(message({.strides = {4, 64}}, 8), 20 + 86 + 100);
  // Halfway between the strides 8 and 64, and half of the size.
  EXPECT_DOUBLE_EQ(message({.strides = {4, 36}}, 8, 2048), 10 + (15 + 43) / 2.0 + 50);
  EXPECT_DOUBLE_EQ(message({.by_hand = true}, 8), 20 + 4 + 100);
}

TEST(TuSection4B, LinearBroadcast) {
  // 7 sends within the node, 56 to others, the network, and the last receiver's half, which the print leaves out.
  EXPECT_DOUBLE_EQ(time_of(Collective::kBcast, "linear", {}), 7 * (5 + 3) + 56 * (10 + 15) + 100 + (10 + 15));
  const Job log3p{.model = "log3p", .parameters = "o_mw=20us,l_mw=0/8:30us,o_net=100us"};
  EXPECT_DOUBLE_EQ(time_of(Collective::kBcast, "linear", log3p), 64 * (10 + 15) + 100);
}

TEST(TuSection4B, BinomialBroadcast) {
  EXPECT_DOUBLE_EQ(time_of(Collective::kBcast, "binomial", {}), 3 * (10 + 6) + 3 * (20 + 30 + 100));
  const Job log3p{.model = "log3p", .parameters = "o_mw=20us,l_mw=0/8:30us,o_net=100us"};
  EXPECT_DOUBLE_EQ(time_of(Collective::kBcast, "binomial", log3p), 6 * (20 + 30 + 100));
}

// The text's errors bound how much log_3P may exceed 2log_{2,3}P: 1.1053 / (1 - 0.0436) at any point.
TEST(TuSection4B, PrintedErrorsContradictThePrintedMiddleware) {
  const double most = 1.1053 / (1 - 0.0436);
  // Middleware 41 % less within a node, and a network that takes nothing, which helps log_3P most.
  const std::string within = "[shared-cache] o_mw=59us,l_mw=0/8:0us [inter-node] o_mw=100us,l_mw=0/8:0us";
  const double two_log = time_of(Collective::kBcast, "binomial", {.parameters = within});
  const Job log3p{.model = "log3p", .parameters = "o_mw=100us,l_mw=0/8:0us,o_net=0us"};
  const double ratio = time_of(Collective::kBcast, "binomial", log3p) / two_log;
  EXPECT_NEAR(ratio, 6 / (3 * 0.59 + 3), 1e-12);  // 1.258
  EXPECT_GT(ratio, most);
  EXPECT_GT(6 / (2 * 0.59 + 4), most);  // n = 2: 1.158 > 1.156
  for (Rank root = 0; root < 64; ++root) {
    EXPECT_EQ(closed_form::transfers_within_node(Mapping::block(8, 8), 64, root), root % 8 == 0 ? 3 : 2);
    EXPECT_EQ(closed_form::transfers_within_node(Mapping::cyclic(8, 8), 64, root), 3);
  }
}

TEST(StridedCollectives, PayAtBothEndsOfEveryMessage) {
  const Job four{.nodes = 2, .per_node = 2};
  // Halves: 8 us within the node, 25 us and 100 us of network between nodes.
  EXPECT_DOUBLE_EQ(time_of(Collective::kScatter, "linear", four), 8 + 25 + 25 + 100 + 25);
  // Both messages from the other node are there after 125 us.
  EXPECT_DOUBLE_EQ(time_of(Collective::kGather, "linear", four), 25 + 100 + 25 + 25);
  EXPECT_DOUBLE_EQ(time_of(Collective::kAllgather, "recursive-doubling", four), 16 + 2 * 150);
  EXPECT_DOUBLE_EQ(time_of(Collective::kScatter, "binomial", four), 2 * 150 + 16);
  EXPECT_DOUBLE_EQ(time_of(Collective::kScatter, "linear", {.nodes = 2, .per_node = 2, .strides = {}}),
                   5 + 10 + 10 + 100 + 10);
}

TEST(StridedCollectives, CombineAsContiguousOnes) {
  Job four{.nodes = 2, .per_node = 2};
  four.parameters = "gamma=1ns " + four.parameters;
  EXPECT_DOUBLE_EQ(time_of(Collective::kReduce, "binomial", four), 16 + 150 + 2 * 4.096);
}

TEST(StridedCollectives, OnePieceAndNoneAreContiguous) {
  const std::string parameters = "o_mw=10us,l_mw=0/8:6us,o_net=100us";
  const Job job{.model = "log3p", .parameters = parameters, .nodes = 1, .per_node = 2};
  EXPECT_DOUBLE_EQ(message(job, 1, 8), 116);
  EXPECT_DOUBLE_EQ(message(job, 1, 4), 110);
  EXPECT_DOUBLE_EQ(time_of(Collective::kBarrier, "dissemination", job, 0), 110);
}

TEST(StridedCollectives, CutBetweenPieces) {
  // 10 pieces of 400 bytes among 4 ranks: blocks of 3, 3, 2 and 2 pieces.
  const Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "scatter-ring-allgather"),
                                           {.ranks = 4, .bytes = 4000, .element_bytes = 400});
  for_each_transfer(schedule, [](const RoundPosition&, const Transfer& t) { EXPECT_EQ(t.bytes % 400, 0); });
}

TEST(StridedCollectives, NeedAModelThatKnowsStrides) {
  const Job loggp{.model = "loggp", .parameters = "L=5us,o=1us,g=2us,G=1ns"};
  EXPECT_THROW(static_cast<void>(model_of(loggp)), UsageError);
  Job unmeasured{.model = "log3p", .parameters = "o_mw=10us,o_net=100us"};
  EXPECT_THROW(static_cast<void>(model_of(unmeasured)), UsageError);
  unmeasured.parameters = "o_mw=10us,l_mw=0/8:6us,o_net=100us";
  unmeasured.by_hand = true;
  EXPECT_THROW(static_cast<void>(model_of(unmeasured)), UsageError);
}

// Section III.A: "Non-uniform memory hierarchy and large-scale cascading network may bring more communication levels".
TEST(TuMLogNP, HasAsManyLevelsAsAreGiven) {
  const std::string levels =
      "[cache] o_0=1us,l_0=0/8:1us,o_1=2us,l_1=0/8:1us [socket] o_0=2us,l_0=0/8:2us,o_1=3us,l_1=0/8:2us "
      "[node] o_0=4us,l_0=0/8:3us,o_1=5us,l_1=0/8:3us [switch] o_0=6us,l_0=0/8:4us,o_1=50us,o_2=7us,l_2=0/8:4us "
      "[core] o_0=8us,l_0=0/8:5us,o_1=60us,o_2=70us,o_3=9us,l_3=0/8:5us";
  const Job job{.model = "mlognp",
                .parameters = levels,
                .nodes = 4,
                .per_node = 8,
                .levels = parse_levels("cache:2,socket:4,node:8,switch:16,core", 8)};
  EXPECT_DOUBLE_EQ(message(job, 1), 1 + 1 + 2 + 1);
  EXPECT_DOUBLE_EQ(message(job, 3), 2 + 2 + 3 + 2);
  EXPECT_DOUBLE_EQ(message(job, 7), 4 + 3 + 5 + 3);
  EXPECT_DOUBLE_EQ(message(job, 15), 6 + 4 + 50 + 7 + 4);
  EXPECT_DOUBLE_EQ(message(job, 31), 8 + 5 + 60 + 70 + 9 + 5);
  // The way to rank 31 passes each level once.
  EXPECT_DOUBLE_EQ(time_of(Collective::kBcast, "binomial", job), 157 + 71 + 15 + 9 + 5);
}

}  // namespace
}  // namespace postage
