// The registry of printed formulas, and the evaluators beside them, on numbers worked out by hand.
#include <postage/base/error.hpp>
#include <postage/predict/formulas/formula.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/predict/prediction.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace postage {
namespace {

PlatformModel on_one_channel(std::string_view model, std::string_view parameters) {
  return {parse_parameters(model, parameters), {std::string(kAllChannels)}, ChannelMap::single_channel()};
}

PlatformModel on_nodes(std::string_view model, std::string_view parameters, const Mapping& mapping) {
  const ParameterTable table = parse_parameters(model, parameters);
  const Platform platform = platform_of(table, mapping.nodes(), mapping.per_node());
  return {table, platform.channels, ChannelMap(platform, mapping)};
}

Seconds printed(std::string_view collective, std::string_view name, const FormulaJob& job) {
  const Interval interval = evaluate(find_formula(collective, name), job);
  EXPECT_EQ(interval.lower, interval.upper) << name;
  return interval.lower;
}

Seconds evaluated(std::string_view collective, std::string_view name, const FormulaJob& job) {
  return predict(schedule_of(find_formula(collective, name), job), job.platform).seconds;
}

TEST(Formulas, AreOfCollectivesAlgorithmsAndModelsThatThereAre) {
  std::set<std::string_view> names;
  for (const Formula& formula : formulas()) {
    EXPECT_TRUE(names.insert(formula.name).second) << formula.name;
    EXPECT_FALSE(formula.equation.empty() || formula.source.empty() || formula.conditions.empty()) << formula.name;
    for (const std::string_view model : formula.models) {
      EXPECT_NO_THROW(static_cast<void>(find_model(model))) << formula.name;
    }
    if (!formula.algorithm.empty()) {
      EXPECT_NO_THROW(static_cast<void>(find_algorithm(parse_collective(formula.collective), formula.algorithm)))
          << formula.name;
    }
  }
  EXPECT_GE(names.size(), 55u);
}

void expect_refusal(const std::string& words, std::string_view collective, std::string_view name,
                    const FormulaJob& job) {
  try {
    static_cast<void>(evaluate(find_formula(collective, name), job));
    FAIL() << name << " was evaluated";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Formulas, SayWhichConditionDoesNotHold) {
  const PlatformModel flat = on_one_channel("taulop", "o=0,L=2us,n=2,S=8K");
  const PlatformModel whole = on_one_channel("taulop", "o=0,L=2us,n=2");
  const PlatformModel loggp = on_one_channel("loggp", "L=5us,o=1us,g=2us,G=1ns");
  expect_refusal("power of two", "scatter", "rico-gallego-eq1", {.platform = flat, .ranks = 12, .bytes = 8192});
  expect_refusal("--segment", "scatter", "rico-gallego-eq1", {.platform = whole, .ranks = 8, .bytes = 8192});
  expect_refusal("two sizes", "scatter", "rico-gallego-eq1",
                 {.platform = flat, .ranks = 8, .bytes = 8192, .segment = 4096});
  expect_refusal("whole number", "scatter", "rico-gallego-eq1", {.platform = flat, .ranks = 8, .bytes = 1000});
  expect_refusal("taulop, not of loggp", "scatter", "rico-gallego-eq1", {.platform = loggp, .ranks = 8, .bytes = 8192});
  expect_refusal("--nodes", "allgather", "rico-gallego-eq5", {.platform = loggp, .ranks = 8, .bytes = 8192});
  expect_refusal("lastovetsky-eq1-gather: the formula", "gather", "lastovetsky-eq1-gather",
                 {.platform = on_one_channel("hockney", "alpha=1us,beta=1ns"), .ranks = 3, .bytes = 8});
  EXPECT_THROW(static_cast<void>(find_formula("bcast", "rico-gallego-eq1")), UsageError);
}

// One rank sends nothing, also where a formula has a term that is not for each message: kappa_1 M, 2 L(1), log2 p + 1.
TEST(Formulas, OfOneRankAreZero) {
  const auto expect_zero = [](std::string_view collective, std::string_view name, const PlatformModel& platform) {
    const Interval found = evaluate(find_formula(collective, name), {.platform = platform, .ranks = 1, .bytes = 2400});
    EXPECT_EQ(found, Interval{}) << name;
  };
  expect_zero("gather", "lastovetsky-eq9-eq10",
              on_one_channel("lmo", "C=50us,t=5ns,beta=100MB/s,M_1=4K,M_2=66K,kappa_1=3ns,kappa_2=20ns"));
  const PlatformModel cell = on_one_channel("plogp-cell", "L=16:.29us;4K:.8us,g=16:.11us;4K:1us,g_ack=.03us");
  expect_zero("barrier", "ali-barrier-one-to-all", cell);
  expect_zero("bcast", "ali-bcast-one-to-all", cell);
  expect_zero("bcast", "ali-bcast-segmented-binomial", cell);
}

// Flat L = 2 us, P = k = 32: 16+8+4+2+1 = 31 transfers of scatter, 2(1+2+4+8+16) = 62 of recursive doubling. Message by
// message scatter takes 17+9+5+3+2 = 36, 2 L(S,1) + (k-1) L(S,2) each.
TEST(RicoGallegoFormulas, OfFlatTransfersCountThem) {
  const FormulaJob job{.platform = on_one_channel("taulop", "o=0,L=2us,n=2,S=8K"), .ranks = 32, .bytes = 8192};
  EXPECT_NEAR(printed("scatter", "rico-gallego-eq1", job), 62e-6, 1e-15);
  EXPECT_NEAR(printed("scatter", "rico-gallego-eq4-bound", job), 62e-6, 1e-15);
  EXPECT_NEAR(printed("allgather", "rico-gallego-eq3", job), 124e-6, 1e-15);
  EXPECT_NEAR(evaluated("scatter", "rico-gallego-eq1", job), 72e-6, 1e-15);
  EXPECT_NEAR(evaluated("allgather", "rico-gallego-eq3", job), 124e-6, 1e-15);
}

// Whole messages, of which each takes 2 L: with a flat L both take 2 log2 P of them, and nothing is claimed.
TEST(RicoGallegoFormulas, WholeMessagesOfFlatTransfersCostScatterAndAllgatherTheSame) {
  const FormulaJob job{.platform = on_one_channel("taulop", "o=0,L=2us,n=2"), .ranks = 32, .bytes = 8192};
  EXPECT_NEAR(evaluated("scatter", "rico-gallego-eq1", job), 20e-6, 1e-15);
  EXPECT_NEAR(evaluated("allgather", "rico-gallego-eq3", job), 20e-6, 1e-15);
}

/// L(S, tau) = 2 us tau^0.6 at the powers of two.
std::string growing_transfers() {
  std::string text = "o=0,n=2,S=8K,L=";
  for (int tau = 1; tau <= 256; tau *= 2) {
    text += (tau > 1 ? ";8K/" : "8K/") + std::to_string(tau) + ":" + std::to_string(2 * std::pow(tau, 0.6)) + "us";
  }
  return text;
}

// The paper's claim: recursive doubling takes more than twice as long as scatter, for k >= P and L growing with tau,
// and the more so the more ranks there are. 2k(P-1)/P L(S,P) with k = P: 62*2*8 = 992 us, 126*2*12.126 = 3055.7 us,
// 254*2*18.379 = 9336.6 us.
TEST(RicoGallegoFormulas, RecursiveDoublingIsEquationThreeAndMoreThanTwiceTheScatter) {
  const std::vector<std::pair<Rank, Seconds>> by_hand{{32, 992e-6}, {64, 3055.69e-6}, {128, 9336.62e-6}};
  const PlatformModel platform = on_one_channel("taulop", growing_transfers());
  double before = 2;
  for (const auto& [ranks, seconds] : by_hand) {
    for (const Bytes blocks : {1, 4}) {
      const FormulaJob job{.platform = platform, .ranks = ranks, .bytes = blocks * 8192};
      const Seconds allgather = evaluated("allgather", "rico-gallego-eq3", job);
      EXPECT_NEAR(allgather / (static_cast<double>(blocks) * seconds), 1, 1e-4) << ranks;
      EXPECT_NEAR(allgather / printed("allgather", "rico-gallego-eq3", job), 1, 1e-12);
      EXPECT_GT(allgather / evaluated("scatter", "rico-gallego-eq1", job), before);
    }
    const FormulaJob job{.platform = platform, .ranks = ranks, .bytes = 8192};
    before = evaluated("allgather", "rico-gallego-eq3", job) / evaluated("scatter", "rico-gallego-eq1", job);
  }
}

// k = 8 segments of 8K: 7 + 8.191 us the first, 10.191 us each further one, or 7 + 8.192 and 10.192.
TEST(RicoGallegoFormulas, OfLogGPSegments) {
  const FormulaJob job{.platform = on_one_channel("loggp", "L=5us,o=1us,g=2us,G=1ns"), .bytes = 65536, .segment = 8192};
  EXPECT_NEAR(printed("p2p", "rico-gallego-loggp", job), 72.535e-6, 1e-15);
  EXPECT_NEAR(printed("p2p", "rico-gallego-loggp-segments", job), 86.528e-6, 1e-15);
  EXPECT_NEAR(printed("p2p", "rico-gallego-loggp-segments-approx", job), 86.536e-6, 1e-15);
  EXPECT_NEAR(predict_message(0, 1, job.bytes, job.platform.with_segments(8192)).seconds, 86.528e-6, 1e-15);
  // Table 1 with P = 8, k = 8: 3 (7 + 8.192) + 7/8 * 7 * 10.192 us.
  const FormulaJob scatter{.platform = job.platform, .ranks = 8, .bytes = 8192, .segment = 8192};
  EXPECT_NEAR(printed("scatter", "rico-gallego-table1", scatter), 108.002e-6, 1e-15);
  EXPECT_NEAR(printed("allgather", "rico-gallego-table2", scatter), 108.002e-6, 1e-15);
}

TEST(RicoGallegoFormulas, OfTauLopSegments) {
  const PlatformModel platform = on_one_channel("taulop", "o=1us,n=2,L=8K/1:2us;64K/1:16us;8K/2:3us;64K/2:20us");
  const FormulaJob job{.platform = platform, .bytes = 65536, .segment = 8192};
  EXPECT_NEAR(printed("p2p", "rico-gallego-p2p", job), 33e-6, 1e-15);
  EXPECT_NEAR(printed("p2p", "rico-gallego-segments", job), 25e-6, 1e-15);
  EXPECT_NEAR(printed("p2p", "rico-gallego-segments-approx", job), 25e-6, 1e-15);
  EXPECT_NEAR(printed("p2p", "rico-gallego-exchange", job), 33e-6, 1e-15);
  EXPECT_NEAR(printed("p2p", "rico-gallego-eq2", job), 49e-6, 1e-15);
  const PlatformModel segmented = platform.with_segments(8192);
  EXPECT_NEAR(predict_message(0, 1, 65536, segmented).seconds, 26e-6, 1e-15);
  EXPECT_NEAR(evaluated("p2p", "rico-gallego-eq2", {.platform = segmented, .bytes = 65536}), 49e-6, 1e-15);
}

// M = 4 nodes of Q = 8: L0(m,8) = 40, L0(m,7) = 35, L0(m,1) = 10, L1(m,1) = 60, L1(m,8) = 240 us; 31 stages.
TEST(RicoGallegoFormulas, OfRings) {
  const std::string tau_lop =
      "[shared-cache] o=0,n=2,L=64K/1:10us;64K/7:35us;64K/8:40us "
      "[inter-node] o=0,n=1,n@shared-cache=2,L=64K/1:60us;64K/8:240us";
  const std::string loggph = "[shared-cache] L=1us,o=0.5us,g=0,G=1ns [inter-node] L=10us,o=2us,g=0,G=2ns";
  const auto job = [](const PlatformModel& platform) {
    return FormulaJob{.platform = platform, .ranks = 32, .bytes = 65536};
  };
  const PlatformModel block = on_nodes("taulop", tau_lop, Mapping::block(4, 8));
  EXPECT_NEAR(printed("allgather", "rico-gallego-eq7", job(block)), 31 * 110e-6, 1e-15);
  EXPECT_NEAR(printed("allgather", "rico-gallego-eq7-max", job(block)), 31 * 110e-6, 1e-15);
  EXPECT_NEAR(printed("allgather", "rico-gallego-sequential", job(block)), 31 * 160e-6, 1e-15);
  EXPECT_NEAR(evaluated("allgather", "rico-gallego-eq7", job(block)), 31 * 110e-6, 1e-15);
  const PlatformModel cyclic = on_nodes("taulop", tau_lop, Mapping::cyclic(4, 8));
  EXPECT_NEAR(printed("allgather", "rico-gallego-eq8", job(cyclic)), 31 * 320e-6, 1e-15);
  EXPECT_NEAR(printed("allgather", "rico-gallego-round-robin", job(cyclic)), 31 * 640e-6, 1e-14);
  EXPECT_NEAR(evaluated("allgather", "rico-gallego-eq8", job(cyclic)), 31 * 320e-6, 1e-15);
  // 2 + 65.535 within a node, 14 + 131.070 us between nodes.
  EXPECT_NEAR(printed("allgather", "rico-gallego-eq5", job(on_nodes("loggph", loggph, Mapping::block(4, 8)))),
              31 * 212.605e-6, 1e-14);
  EXPECT_NEAR(printed("allgather", "rico-gallego-eq6", job(on_nodes("loggph", loggph, Mapping::cyclic(4, 8)))),
              31 * 290.14e-6, 1e-14);
}

}  // namespace
}  // namespace postage
