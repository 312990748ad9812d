// Tables 1 to 5 of Ali et al. (PPoPP 2010), what the evaluator gives for each schedule beside numbers worked out from
// the print by a script that knows the tables only: parameters are odd everywhere, so that no term can stand for
// another.
#include <postage/predict/given_parameters.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <optional>
#include <string_view>

namespace postage {
namespace {

// L_1(m) = 0.311 us + 0.053 ns (m - 16), g_1(m) = 0.097 us + 0.029 ns (m - 16), L_2(m) = 0.577 us + 0.131 ns (m - 16),
// g_2(m) = 0.171 us + 0.067 ns (m - 16), C(m, n) = (0.419 us + 0.017 ns (m - 256)) (n - 2)/14 for m > 256 and n > 2.
constexpr const char* kOneChip =
    "L=16:0.311us;65552:3.784408us,g=16:0.097us;65552:1.997544us,g_ack=0.041us,gamma=.023ns";
constexpr const char* kTwoChips =
    "gamma=.023ns "
    "[shared-cache] L=16:0.311us;65552:3.784408us,g=16:0.097us;65552:1.997544us,g_ack=.041us "
    "[inter-node] "
    "L=16:0.577us;65552:9.162216us,g=16:0.171us;65552:4.561912us,g_ack=.059us,C=256/2:0us;65552/2:0us;256/"
    "16:.419us;65552/16:1.529032us";

struct TableRow {
  Collective collective;
  const char* algorithm;
  Rank ranks;
  Bytes bytes;
  Index x;  ///< of the hybrids
  double lower_us;
  double upper_us;
};

constexpr TableRow kRows[] = {
    {Collective::kBarrier, "recursive-doubling", 2, 0, 0, 0.311, 0.311},
    {Collective::kBarrier, "dissemination", 2, 0, 0, 0.311, 0.311},
    {Collective::kBarrier, "tree", 2, 0, 0, 0.622, 0.622},
    {Collective::kBarrier, "linear", 2, 0, 0, 0.622, 0.622},
    {Collective::kBarrier, "recursive-doubling", 4, 0, 0, 0.622, 0.622},
    {Collective::kBarrier, "dissemination", 4, 0, 0, 0.622, 0.622},
    {Collective::kBarrier, "tree", 4, 0, 0, 1.244, 1.244},
    {Collective::kBarrier, "linear", 4, 0, 0, 0.816, 0.898},
    {Collective::kBarrier, "recursive-doubling", 8, 0, 0, 0.933, 0.933},
    {Collective::kBarrier, "dissemination", 8, 0, 0, 0.933, 0.933},
    {Collective::kBarrier, "tree", 8, 0, 0, 1.866, 1.866},
    {Collective::kBarrier, "linear", 8, 0, 0, 1.204, 1.45},
    {Collective::kBarrier, "recursive-doubling", 3, 0, 0, 0.933, 0.933},
    {Collective::kBarrier, "dissemination", 3, 0, 0, 0.622, 0.622},
    {Collective::kBarrier, "tree", 3, 0, 0, 1.244, 1.244},
    {Collective::kBarrier, "linear", 3, 0, 0, 0.719, 0.76},
    {Collective::kBarrier, "recursive-doubling", 5, 0, 0, 1.244, 1.244},
    {Collective::kBarrier, "dissemination", 5, 0, 0, 0.933, 0.933},
    {Collective::kBarrier, "tree", 5, 0, 0, 1.866, 1.866},
    {Collective::kBarrier, "linear", 5, 0, 0, 0.913, 1.036},
    {Collective::kBarrier, "recursive-doubling", 6, 0, 0, 1.244, 1.244},
    {Collective::kBarrier, "dissemination", 6, 0, 0, 0.933, 0.933},
    {Collective::kBarrier, "tree", 6, 0, 0, 1.866, 1.866},
    {Collective::kBarrier, "linear", 6, 0, 0, 1.01, 1.174},
    {Collective::kBarrier, "recursive-doubling", 7, 0, 0, 1.244, 1.244},
    {Collective::kBarrier, "dissemination", 7, 0, 0, 0.933, 0.933},
    {Collective::kBarrier, "tree", 7, 0, 0, 1.866, 1.866},
    {Collective::kBarrier, "linear", 7, 0, 0, 1.107, 1.312},
    {Collective::kBarrier, "recursive-doubling", 16, 0, 0, 1.51, 1.51},
    {Collective::kBarrier, "dissemination", 16, 0, 0, 2.308, 2.308},
    {Collective::kBarrier, "tree", 16, 0, 0, 3.02, 3.02},
    {Collective::kBarrier, "linear", 16, 0, 0, 3.555, 4.214},
    {Collective::kBarrier, "dissemination", 9, 0, 0, 2.308, 2.308},
    {Collective::kBarrier, "tree", 9, 0, 0, 3.02, 3.02},
    {Collective::kBarrier, "linear", 9, 0, 0, 2.358, 2.604},
    {Collective::kBarrier, "dissemination", 11, 0, 0, 2.308, 2.308},
    {Collective::kBarrier, "tree", 11, 0, 0, 3.02, 3.02},
    {Collective::kBarrier, "linear", 11, 0, 0, 2.7, 3.064},
    {Collective::kBarrier, "dissemination", 13, 0, 0, 2.308, 2.308},
    {Collective::kBarrier, "tree", 13, 0, 0, 3.02, 3.02},
    {Collective::kBarrier, "linear", 13, 0, 0, 3.042, 3.524},
    {Collective::kBarrier, "dissemination", 15, 0, 0, 2.308, 2.308},
    {Collective::kBarrier, "tree", 15, 0, 0, 3.02, 3.02},
    {Collective::kBarrier, "linear", 15, 0, 0, 3.384, 3.984},
    {Collective::kBcast, "linear", 3, 1000, 0, 0.799688, 0.840688},
    {Collective::kBcast, "linear", 5, 1000, 0, 1.05076, 1.17376},
    {Collective::kBcast, "linear", 8, 1000, 0, 1.427368, 1.673368},
    {Collective::kBcast, "linear", 9, 1000, 0, 2.710272, 2.956272},
    {Collective::kBcast, "linear", 13, 1000, 0, 3.657984, 4.139984},
    {Collective::kBcast, "linear", 16, 1000, 0, 4.368768, 5.027768},
    {Collective::kBcast, "binomial-simple", 8, 1000, 0, 2.399064, 2.522064},
    {Collective::kBcast, "binomial-simple", 16, 1000, 0, 3.93304, 4.13804},
    {Collective::kBcast, "binomial-opt", 2, 1000, 0, 0.674152, 0.674152},
    {Collective::kBcast, "binomial-opt", 4, 1000, 0, 1.348304, 1.348304},
    {Collective::kBcast, "binomial-opt", 8, 1000, 0, 2.022456, 2.022456},
    {Collective::kBcast, "binomial-opt", 9, 1000, 0, 3.30536, 3.30536},
    {Collective::kBcast, "binomial-opt", 12, 1000, 0, 3.30536, 3.30536},
    {Collective::kBcast, "binomial-opt", 16, 1000, 0, 3.30536, 3.30536},
    {Collective::kBcast, "segmented-binomial", 2, 1000, 0, 1.295304, 1.295304},
    {Collective::kBcast, "segmented-binomial", 4, 1000, 0, 1.942956, 1.942956},
    {Collective::kBcast, "segmented-binomial", 8, 1000, 0, 2.590608, 2.590608},
    {Collective::kBcast, "hybrid-segmented", 16, 1000, 0, 3.873512, 3.873512},
    {Collective::kAllgather, "recursive-doubling", 2, 1000, 0, 0.674152, 0.674152},
    {Collective::kAllgather, "recursive-doubling", 4, 1000, 0, 1.401304, 1.401304},
    {Collective::kAllgather, "recursive-doubling", 8, 1000, 0, 2.234456, 2.234456},
    {Collective::kAllgather, "recursive-doubling", 16, 1000, 0, 4.985008, 4.985008},
    {Collective::kAllgather, "hybrid", 16, 1000, 1, 4.985008, 4.985008},
    {Collective::kAllreduce, "hybridA", 16, 1000, 1, 3.829008, 3.829008},
    {Collective::kAllreduce, "hybridB", 16, 16000, 1, 10.315016, 10.315016},
    {Collective::kAllgather, "hybrid", 16, 1000, 2, 6.139504, 6.139504},
    {Collective::kAllreduce, "hybridA", 16, 1000, 2, 4.256504, 4.256504},
    {Collective::kAllreduce, "hybridB", 16, 16000, 2, 11.469512, 11.469512},
    {Collective::kAllgather, "hybrid", 16, 1000, 3, 7.451328, 7.451328},
    {Collective::kAllreduce, "hybridA", 16, 1000, 3, 4.807328, 4.807328},
    {Collective::kAllreduce, "hybridB", 16, 16000, 3, 12.781336, 12.781336},
    {Collective::kAllgather, "hybrid", 16, 1000, 4, 8.841816, 8.841816},
    {Collective::kAllreduce, "hybridA", 16, 1000, 4, 5.419816, 5.419816},
    {Collective::kAllreduce, "hybridB", 16, 16000, 4, 14.171824, 14.171824},
    {Collective::kReduce, "binomial", 2, 1000, 0, 0.697152, 0.697152},
    {Collective::kReduce, "binomial", 4, 1000, 0, 1.394304, 1.394304},
    {Collective::kReduce, "binomial", 8, 1000, 0, 2.091456, 2.091456},
    {Collective::kReduce, "binomial", 16, 1000, 0, 3.39736, 3.39736},
    {Collective::kReduce, "binomial", 9, 1000, 0, 3.39736, 3.39736},
    {Collective::kReduce, "binomial", 12, 1000, 0, 3.39736, 3.39736},
    {Collective::kReduce, "reduce-scatter-gather", 2, 2000, 0, 1.371304, 1.371304},
    {Collective::kReduce, "reduce-scatter-gather", 4, 4000, 0, 2.871608, 2.871608},
    {Collective::kReduce, "reduce-scatter-gather", 8, 8000, 0, 4.629912, 4.629912},
    {Collective::kReduce, "reduce-scatter-gather", 16, 16000, 0, 9.764368, 9.764368},
    {Collective::kAllreduce, "recursive-doubling", 2, 1000, 0, 1.008152, 1.008152},
    {Collective::kAllreduce, "recursive-doubling", 4, 1000, 0, 2.016304, 2.016304},
    {Collective::kAllreduce, "recursive-doubling", 8, 1000, 0, 3.024456, 3.024456},
    {Collective::kAllreduce, "recursive-doubling", 16, 1000, 0, 5.339008, 5.339008},
    {Collective::kAllreduce, "reduce-scatter-rd-allgather", 2, 2000, 0, 1.371304, 1.371304},
    {Collective::kAllreduce, "reduce-scatter-rd-allgather", 4, 4000, 0, 2.871608, 2.871608},
    {Collective::kAllreduce, "reduce-scatter-rd-allgather", 8, 8000, 0, 4.629912, 4.629912},
    {Collective::kAllreduce, "reduce-scatter-rd-allgather", 16, 16000, 0, 10.315016, 10.315016},
    {Collective::kAllreduce, "reduce-scatter-gather-bcast", 2, 2000, 0, 2.098456, 2.098456},
    {Collective::kAllreduce, "reduce-scatter-gather-bcast", 4, 4000, 0, 4.537912, 4.537912},
    {Collective::kAllreduce, "reduce-scatter-gather-bcast", 8, 8000, 0, 7.765368, 7.765368},
    {Collective::kAllreduce, "reduce-scatter-gather-bcast", 16, 16000, 0, 17.419728, 17.419728},
};

Prediction predicted(const TableRow& row, std::optional<Evaluator> evaluator = std::nullopt) {
  const bool two = row.ranks > 8;
  const ParameterTable table = parse_parameters("plogp-cell", two ? kTwoChips : kOneChip);
  const Platform platform = platform_of(table, two ? 2 : 1, 8);
  const PlatformModel model(table, platform.channels, ChannelMap(platform, Mapping::block(two ? 2 : 1, 8)));
  ScheduleRequest request{.ranks = row.ranks, .bytes = row.bytes};
  if (row.x > 0) {
    request.parameters.emplace("x", row.x);
  }
  return predict(build_schedule(find_algorithm(row.collective, row.algorithm), request), model, evaluator);
}

TEST(AliTables, AreWhatTheEvaluatorGives) {
  for (const TableRow& row : kRows) {
    const Prediction found = predicted(row);
    const auto expect_is = [&](Seconds seconds, double expected_us) {
      EXPECT_NEAR(seconds * 1e6, expected_us, 1e-6 * expected_us)
          << name_of(row.collective) << " " << row.algorithm << " P=" << row.ranks << " m=" << row.bytes
          << " x=" << row.x;
    };
    expect_is(found.seconds, row.lower_us);
    expect_is(found.lower, row.lower_us);
    expect_is(found.upper, row.upper_us);
  }
}

bool is_congested(const TableRow& row) {
  const bool exchanges = row.collective == Collective::kAllgather || row.collective == Collective::kAllreduce ||
                         std::string_view(row.algorithm) == "reduce-scatter-gather";
  return row.ranks > 8 && exchanges;
}

/// Of 2^k ranks; of others, the timeline lets ranks that wait for nobody begin their next round.
bool is_full(const TableRow& row) {
  const bool is_optional = row.collective == Collective::kBarrier || row.collective == Collective::kReduce;
  return !is_optional || std::has_single_bit(static_cast<unsigned>(row.ranks));
}

TEST(AliTables, AreWhatTheTimelineGivesWithoutCongestion) {
  int rows = 0;
  for (const TableRow& row : kRows) {
    const bool crosses_one_way_and_back = row.collective == Collective::kBarrier && row.ranks > 8;
    if (!is_congested(row) && is_full(row) && !crosses_one_way_and_back) {
      const Prediction found = predicted(row, Evaluator::kTimeline);
      EXPECT_NEAR(found.seconds * 1e6, row.lower_us, 1e-6 * row.lower_us)
          << name_of(row.collective) << " " << row.algorithm << " P=" << row.ranks;
      EXPECT_NEAR(found.upper * 1e6, row.upper_us, 1e-6 * row.upper_us)
          << name_of(row.collective) << " " << row.algorithm << " P=" << row.ranks;
      ++rows;
    }
  }
  EXPECT_EQ(rows, 49);
}

// L(1) = 0.311 us, g(1) = 0.097 us. P = 3: 2 and 1 signal 0, which then signals 1 and 2. P = 5: 4, 1 and 3 signal 0
// and 2, then 2 signals 0, then 0 signals 4. Table 1 has floor(log2 p) + 2 signals one after another.
TEST(AliTables, SignalsOfTheTimelineOverlap) {
  const auto microseconds = [](const TableRow& row) { return 1e6 * predicted(row, Evaluator::kTimeline).seconds; };
  EXPECT_NEAR(microseconds({Collective::kBarrier, "recursive-doubling", 3, 0, 0, 0, 0}), 2 * 0.311 + 0.097, 1e-6);
  EXPECT_NEAR(microseconds({Collective::kBarrier, "recursive-doubling", 5, 0, 0, 0, 0}), 3 * 0.311, 1e-6);
}

// Acknowledgements without an address take L_ack, data of 16 bytes or less L(16): three rounds of L(8) + L(1), and of
// a barrier 3 L(1).
TEST(AliTables, AcknowledgementsHaveALatencyOfTheirOwn) {
  const ParameterTable table = parse_parameters("plogp-cell", "L=16:0.5us;4112:4.596us,L_ack=0.2us,g=0.1us");
  const Platform platform = platform_of(table, 1, 8);
  const PlatformModel model(table, platform.channels, ChannelMap(platform, Mapping::block(1, 8)));
  const auto microseconds = [&](Collective collective, const char* algorithm, Bytes bytes, Evaluator evaluator) {
    const Schedule schedule = build_schedule(find_algorithm(collective, algorithm), {.ranks = 8, .bytes = bytes});
    return 1e6 * predict(schedule, model, evaluator).seconds;
  };
  for (const Evaluator evaluator : {Evaluator::kRounds, Evaluator::kTimeline}) {
    EXPECT_NEAR(microseconds(Collective::kBcast, "binomial-opt", 8, evaluator), 3 * (0.5 + 0.2), 1e-9);
    EXPECT_NEAR(microseconds(Collective::kBcast, "binomial-opt", 1016, evaluator), 3 * (1.5 + 0.2), 1e-9);
    EXPECT_NEAR(microseconds(Collective::kBarrier, "dissemination", 0, evaluator), 3 * 0.2, 1e-9);
  }
}

// What is printed and does not follow from the schedules, or from the paper's own text: docs/papers/misprints.md.
TEST(AliTables, DifferWhereTheyContradictTheSchedules) {
  const auto microseconds = [](const TableRow& row) { return 1e6 * predicted(row).seconds; };
  // Table 1: elements 8 to 10 of 11 sit on the second chip and none of the three rounds among 0 to 7 crosses: 3 L_1(1)
  // + 2 L_2(1), where 4 L_1(1) + L_2(1) = 1.821 is printed.
  EXPECT_NEAR(microseconds({Collective::kBarrier, "recursive-doubling", 11, 0, 0, 0, 0}), 3 * 0.311 + 2 * 0.577, 1e-6);
  // Table 2, q_1 = 7: section 4's sum of (d_k - n_k2 - 1) over levels of out-degree 4 (one across), 3, 2, 1 is 5.
  EXPECT_NEAR(microseconds({Collective::kBcast, "binomial-simple", 16, 1000, 0, 0, 0}),
              3 * (0.363152 + 0.311) + 0.705904 + 0.577 + 5 * 0.125536, 1e-4);
  // Table 4, floor(log2 p): the root of 6 takes in 3 messages, one after another.
  EXPECT_NEAR(microseconds({Collective::kReduce, "binomial", 6, 1000, 0, 0, 0}), 3 * (0.363152 + 0.311 + 0.023), 1e-4);
  // Section 5.2: 14 messages cross in the last phase; 8 elements need the left half and 7 the right one.
  EXPECT_NEAR(microseconds({Collective::kBcast, "segmented-binomial", 16, 1000, 0, 0, 0}),
              3 * (0.336652 + 0.311) + 2 * (0.640404 + 0.577) + (0.419 + 0.017e-3 * 244) * 13 / 14, 1e-4);
}

}  // namespace
}  // namespace postage
