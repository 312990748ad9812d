#include <postage/base/error.hpp>
#include <postage/predict/explanation.hpp>
#include <postage/predict/formulas/closed_forms.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace postage {
namespace {

const std::vector<std::string> kAll{"all"};

Model loggp() {
  return build_model(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), kAll);
}

Explanation explain_bcast(std::string_view name, Rank ranks, Bytes segment = 0) {
  const Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, name),
                                           {.ranks = ranks, .bytes = 65536, .segment_bytes = segment});
  return explain(schedule, ChannelMap::single_channel(), loggp(), kAll);
}

Seconds sum_of_leaves(const Explanation& part) {
  Seconds sum = part.parts.empty() ? part.seconds : 0;
  for (const Explanation& child : part.parts) {
    sum += sum_of_leaves(child);
  }
  return sum;
}

TEST(Predict, BinomialWithLogGPEqualsTheClosedForm) {
  const ParameterTable table = parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns");
  const Schedule schedule =
      build_schedule(find_algorithm(Collective::kBcast, "binomial"), {.ranks = 64, .bytes = 65536});
  const Prediction prediction = predict(schedule, PlatformModel(table, kAll, ChannelMap::single_channel()));
  const double formula = 6 * (5e-6 + 2 * 1e-6 + 65535 * 1e-9);
  EXPECT_NEAR(prediction.seconds / formula, 1, 1e-12);
  EXPECT_EQ(prediction.lower, prediction.seconds);
  EXPECT_EQ(prediction.upper, prediction.seconds);
}

TEST(Predict, CarriesTheParametersIntervals) {
  ParameterTable table = parse_parameters("hockney", "alpha=10us,beta=0");
  table.groups[0].values["alpha"] = {10e-6, 9e-6, 12e-6};
  const Prediction prediction = predict_message(0, 1, 8, PlatformModel(table, kAll, ChannelMap::single_channel()));
  EXPECT_DOUBLE_EQ(prediction.lower, 9e-6);
  EXPECT_DOUBLE_EQ(prediction.upper, 12e-6);
}

// Too few repetitions have no interval; then a prediction has none.
TEST(Predict, BoundsNothingWhereAParameterHasNoInterval) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  ParameterTable table = parse_parameters("hockney", "alpha=10us,beta=0");
  for (const Estimate& alpha : {Estimate{10e-6, 9e-6, kUnknown}, Estimate{10e-6, -kUnknown, 12e-6}}) {
    table.groups[0].values["alpha"] = alpha;
    const Prediction prediction = predict_message(0, 1, 8, PlatformModel(table, kAll, ChannelMap::single_channel()));
    EXPECT_DOUBLE_EQ(prediction.seconds, 10e-6);
    EXPECT_EQ(prediction.lower, 0);
    EXPECT_EQ(prediction.upper, kUnknown);
  }
}

TEST(Explain, PartsAddUpToThePrediction) {
  for (const char* name : {"linear", "binomial", "pipeline"}) {
    for (const Bytes segment : {0, 8192}) {
      const Explanation whole = explain_bcast(name, 13, segment);
      EXPECT_NEAR(sum_of_leaves(whole) / whole.seconds, 1, 1e-12) << name;
    }
  }
}

TEST(Explain, FindsTheGapsOfALinearBroadcast) {
  const Explanation whole = explain_bcast("linear", 4);
  const std::string text = render(whole);
  EXPECT_NE(text.find("gap at the sender"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 0 -> 3, 64K over all"), std::string::npos) << text;
}

TEST(Explain, CutsLongTreesAndSaysSo) {
  const std::string text = render(explain_bcast("pipeline", 40), 4);
  EXPECT_NE(text.find("... 35 more"), std::string::npos) << text;
}

TEST(Play, RefusesAMappingThatIsTooSmall) {
  Platform platform{.name = "p", .channels = {kInterNode}};
  platform.nodes = {{"n", {{{0, 0, 0, 0}}}}};
  const Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "linear"), {.ranks = 3, .bytes = 1});
  EXPECT_THROW(static_cast<void>(play(schedule, ChannelMap(platform, Mapping::block(2, 1)), loggp())), Error);
}

// A gather by hand: three messages reach rank 0 at once, so its port spaces them out.
TEST(Play, SpacesArrivalsAtOneReceiver) {
  Schedule schedule;
  schedule.ranks = 4;
  schedule.layout = BlockLayout::uniform(4, 1000);
  const AffinePairs to_root{.count = 3, .source_first = 1, .source_stride = 1};
  schedule.stages = {
      {.name = "gather", .rounds = {{{Pattern{to_root, LinearNumbering{0, 1, 4}, BlockSpan{.by_source = 1}}}}}}};
  const HockneyLink link{2e-6, 1e-9};
  Hockney hockney;
  hockney.links.set_channel(0, {{0, link}});
  EXPECT_NEAR(play(schedule, ChannelMap::single_channel(), hockney).seconds(), 3 * (2e-6 + 1e-6), 1e-18);
}

/// A round of a ring: one message, of which the sender is busy for a quarter.
Explanation ring_round(int number, Seconds seconds) {
  return {"ring, round " + std::to_string(number),
          seconds,
          {{"a message", seconds, {{"sender busy", seconds / 4}, {"wire", 3 * seconds / 4}}}}};
}

TEST(AlikeRounds, AreToldOnceAndAddUp) {
  Explanation ring{"allgather ring", 11};
  for (int number = 0; number < 5; ++number) {
    ring.parts.push_back(ring_round(number, number < 4 ? 2 : 3));
  }
  const Explanation folded = with_alike_rounds_once(ring);
  ASSERT_EQ(folded.parts.size(), 2U);
  EXPECT_EQ(folded.parts[0].label, "4 rounds alike, each 2 s: ring");
  EXPECT_EQ(folded.parts[0].seconds, 8);
  ASSERT_EQ(folded.parts[0].parts.size(), 2U);
  EXPECT_EQ(folded.parts[0].parts[1].seconds, 6);
  EXPECT_EQ(folded.parts[1].label, "ring, round 4");
}

TEST(AlikeRounds, ThatAreFewStayAsTheyAre) {
  const Explanation few{"allgather ring", 6, {ring_round(0, 2), ring_round(1, 2), ring_round(2, 2)}};
  EXPECT_EQ(with_alike_rounds_once(few).parts.size(), 3U);
  EXPECT_EQ(with_alike_rounds_once({"x", 4, {{"a", 1}, {"a", 1}, {"a", 1}, {"a", 1}}}).parts.size(), 4U);
}

}  // namespace
}  // namespace postage
