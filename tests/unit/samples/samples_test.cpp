#include "unit/samples/small_campaign.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/base/older_names.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

using test::campaign;
using test::Field;
using test::kAll;
using test::kPair;
using test::measured;
using test::roundtrip;

constexpr ExperimentFields kMembers{Field::kMembers, Field::kChannel, Field::kMethod};

/// One of each sort of participants, with all further fields that there are.
std::vector<Experiment> one_of_each() {
  return {
      roundtrip(48),
      {.kind = ExperimentKind("copy", {Field::kSource}), .source = 3, .bytes = 48},
      {.kind = ExperimentKind("one-to-two", kPair.with({Field::kSecondTarget})),
       .source = 3,
       .target = 1,
       .second_target = 2,
       .bytes = 48},
      {.kind = ExperimentKind("train", kPair.with({Field::kMessages, Field::kDelay})),
       .source = 3,
       .target = 1,
       .bytes = 48,
       .messages = 4,
       .delay = 1.5e-6},
      {.kind = ExperimentKind("strided-roundtrip", kPair.with({Field::kRunBytes, Field::kStride, Field::kByHand})),
       .source = 3,
       .target = 1,
       .bytes = 48,
       .run_bytes = 4,
       .stride = 16,
       .by_hand = true},
      {.kind = ExperimentKind("synchronised-exchange", kMembers),
       .bytes = 48,
       .members = {2, 0},
       .channel = kInterNode,
       .method = "maximum"},
      {.kind = ExperimentKind("collective", kAll.with({Field::kCollective, Field::kAlgorithm, Field::kSegmentBytes})),
       .bytes = 48,
       .collective = "bcast",
       .algorithm = "binomial",
       .segment_bytes = 7,
       .root = 1,
       .ranks = 4,
       .method = "maximum"}};
}

/// Eight ranks share two cores.
SampleSet campaign_of_eight(std::vector<Measurement> measurements) {
  SampleSet samples = campaign(std::move(measurements));
  for (int rank = 2; rank < 8; ++rank) {
    samples.ranks.push_back({0, rank % 2});
  }
  return samples;
}

TEST(Samples, SurviveTheirFile) {
  SampleSet samples = campaign_of_eight({});
  for (const Experiment& e : one_of_each()) {
    samples.measurements.push_back(measured(e, {{1e-6, 2e-6, 3e-6}, {}, {2e-6}}));
  }
  samples.measurements[0].summary.modes = {{1e-6, 0.25}, {2e-6, 0.75}};
  samples.measurements[0].processors = {5e-6, 0, 6e-6};
  samples.measurements[1].late = 3;
  samples.settings.timing = TimingMethod::kRoot;
  samples.settings.serial = true;
  samples.interrupted = true;
  samples.clock_error = 1e-7;
  samples.name = "cluster";
  samples.probes = {{{1e-6, 2e-6}, {}, {1.5e-6}}, {{4e-6, 5e-6}, {}, {4.5e-6}}};
  samples.controls.push_back({roundtrip(8), samples.measurements[0].summary, samples.measurements[1].summary});
  const Json written = to_json(samples);
  const SampleSet read = samples_from_json(Json::parse(written.dump()), "samples.json");
  EXPECT_EQ(to_json(read).dump(), written.dump());
  EXPECT_EQ(read.settings, samples.settings);
  EXPECT_EQ(read.name, samples.name);
  EXPECT_EQ(read.probes, samples.probes);
  for (std::size_t i = 0; i < samples.measurements.size(); ++i) {
    EXPECT_EQ(read.measurements[i].summary, samples.measurements[i].summary);
    EXPECT_EQ(read.measurements[i].passes, samples.measurements[i].passes);
    EXPECT_EQ(read.measurements[i].processors, samples.measurements[i].processors);
    EXPECT_EQ(read.measurements[i].experiment, samples.measurements[i].experiment)
        << describe(samples.measurements[i].experiment);
  }
}

/// What is said when the file of one roundtrip is read, after `change` to its experiment.
template <typename Change>
std::string refusal_after(const Change& change) {
  const SampleSet samples = campaign({measured(roundtrip(8), {{1e-6}}), measured(roundtrip(9), {{1e-6}})});
  Json file = to_json(samples);
  // One by one, as older files have them.
  file["version"] = 2;
  file["measurements"] = Json::array({to_json(samples.measurements[0]), to_json(samples.measurements[1])});
  change(file["measurements"]);
  try {
    static_cast<void>(samples_from_json(file, "s.json"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Samples, OfAKindThatNobodyKnowsKeepTheirFields) {
  const Experiment toy{.kind = ExperimentKind("toy", kPair.with({Field::kMessages})),
                       .source = 2,
                       .target = 5,
                       .bytes = 7,
                       .messages = 3};
  const Json file = to_json(campaign_of_eight({measured(toy, {{1e-6}})}));
  const Experiment read = samples_from_json(file, "s.json").measurements.at(0).experiment;
  EXPECT_EQ(read, toy);
  EXPECT_EQ(read.kind.name(), "toy");
  EXPECT_EQ(participants(read), (std::vector<std::int32_t>{2, 5}));
  EXPECT_EQ(describe(read), "toy 2-5, 3 messages");
}

TEST(Samples, WithoutAFieldThatTheirKindHasAreRefusedByItsName) {
  EXPECT_EQ(refusal_after([](Json&) {}), "");
  EXPECT_EQ(refusal_after([](Json& m) { m[1]["experiment"].erase("reply_bytes"); }),
            "s.json lacks the field /measurements/1/experiment/reply_bytes");
  EXPECT_NE(refusal_after([](Json& m) { m[0]["experiment"]["target"] = "n0"; }).find("/experiment/target"),
            std::string::npos);
  EXPECT_NE(refusal_after([](Json& m) { m[0]["experiment"].erase("source"); }).find("who takes part"),
            std::string::npos);
}

TEST(Samples, AreReadByTheNamesThatKindsHadBefore) {
  Json file = to_json(campaign_of_eight({measured(one_of_each().at(5), {{1e-6}})}));
  EXPECT_EQ(file["measurements"][0]["experiment"]["kind"].text(), "synchronised-exchange");
  EXPECT_NE(older_name("synchronised-exchange"), "synchronised-exchange");
  file["measurements"][0]["experiment"]["kind"] = std::string(older_name("synchronised-exchange"));
  EXPECT_EQ(samples_from_json(file, "s.json").measurements.at(0).experiment.kind,
            ExperimentKind::kSynchronisedExchange);
}

TEST(Samples, OfAKindWithoutFieldsCannotBeWritten) {
  EXPECT_THROW(static_cast<void>(to_json(campaign({measured({.kind = ExperimentKind::kRing}, {{1e-6}})}))), Error);
}

TEST(Samples, OfRanksThatAreNotThereAreRefused) {
  const auto refusal = [](const char* member, std::int64_t value) {
    return refusal_after([&](Json& measurements) { measurements[0]["experiment"][member] = value; });
  };
  EXPECT_EQ(refusal("target", 1), "");
  EXPECT_EQ(refusal("target", 2).find("field /measurements of s.json must be between its ranks, 0 to 1"), 0U);
  EXPECT_NE(refusal("source", 1 << 30), "");
  Json file = to_json(campaign({measured(roundtrip(8), {{1e-6}})}));
  file["ranks"][1]["node"] = 7;
  EXPECT_THROW(static_cast<void>(samples_from_json(file, "s.json")), Error);
}

TEST(Samples, WithProbesThatDoNotBelongTogetherAreRefused) {
  const auto refusal = [](const Json& probes) {
    Json file = to_json(campaign({measured(roundtrip(8), {{1e-6}})}));
    file["probes"] = probes;
    try {
      static_cast<void>(samples_from_json(file, "s.json"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Json right = {{{1e-6, 2e-6}, {1e-6}}, {{3e-6, 4e-6}, {5e-6}}};
  EXPECT_EQ(refusal(right), "");
  Json uneven = right;
  uneven[1][1].push_back(6e-6);
  EXPECT_EQ(refusal(uneven),
            "field /probes/1 of s.json must be an array with as many times of each pass as the one before it");
  Json short_of_one = right;
  short_of_one[1] = Json::array({{3e-6, 4e-6}});
  EXPECT_NE(refusal(short_of_one), "");
  Json nothing = right;
  nothing[0][1][0] = 0;
  EXPECT_EQ(refusal(nothing), "field /probes/0 of s.json must be an array of arrays of positive numbers");
}

TEST(Samples, WithSpeedsOfOtherPassesAreRefused) {
  Json file = to_json(campaign({measured(roundtrip(8), {{1e-6}, {2e-6}})}));
  file["measurements"][0]["processors"] = {1e-6};
  try {
    static_cast<void>(samples_from_json(file, "s.json"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "field /measurements/0/processors of s.json must be an array with as many numbers as there are passes");
  }
}

TEST(UndisturbedState, IsWhatMostPassesSaw) {
  SampleSet samples = campaign(
      {measured(roundtrip(8), {{1e-6}, {3e-6, 3e-6, 3e-6}, {1.1e-6}, {2e-6}}), measured(roundtrip(9), {{}, {5e-6}})});
  samples.probes = {{{1e-6, 1.1e-6}, {3e-6, 3.1e-6}, {1.05e-6, 1.1e-6}, {1e-6, 3e-6}}};
  EXPECT_EQ(undisturbed_passes(samples), (std::vector<bool>{true, false, true, false}));
  const SampleSet kept = keep_undisturbed(samples);
  ASSERT_EQ(kept.measurements.size(), 1U) << "what was measured in other passes alone is dropped";
  EXPECT_EQ(kept.measurements[0].passes, (std::vector<std::vector<double>>{{1e-6}, {}, {1.1e-6}, {}}));
  EXPECT_EQ(kept.measurements[0].summary.count, 2U);
  EXPECT_NEAR(kept.measurements[0].summary.median, 1.05e-6, 1e-12);
}

TEST(UndisturbedState, IsThatOfAllControlPoints) {
  SampleSet samples = campaign({measured(roundtrip(8), {{1e-6}, {1e-6}, {1e-6}})});
  samples.probes = {{{1e-6, 1e-6}, {1e-6, 1e-6}, {1e-6, 1e-6}}, {{4e-6, 4.1e-6}, {4e-6, 8e-6}, {4.2e-6, 4e-6}}};
  EXPECT_EQ(undisturbed_passes(samples), (std::vector<bool>{true, false, true}));
}

TEST(UndisturbedState, IsAsWideAsItMustBeForAQuarterOfThePasses) {
  SampleSet samples = campaign({measured(roundtrip(8), {{1e-6}, {1e-6}, {1e-6}, {1e-6}, {1e-6}, {1e-6}})});
  samples.probes = {{{1e-6, 1.3e-6}, {1.2e-6, 1.5e-6}, {3e-6, 3.05e-6}, {5e-6, 7e-6}, {9e-6, 1e-5}, {2e-5, 4e-5}}};
  // Within a tenth there is one pass alone, the third; within a factor of 1.1^3 of 1.2 us the first two.
  EXPECT_EQ(undisturbed_passes(samples), (std::vector<bool>{true, true, false, false, false, false}));
}

TEST(UndisturbedState, IsThatOfMostVisitsProcessors) {
  Measurement often = measured(roundtrip(8), {{1e-6}, {2e-6}, {1.1e-6}, {2.1e-6}});
  often.processors = {5e-6, 9e-6, 5.2e-6, 9e-6};
  Measurement once = measured(roundtrip(9), {{}, {4e-6}, {5e-6}, {3e-6}});
  once.processors = {0, 9e-6, 7e-6, 5.1e-6};
  Measurement never = measured(roundtrip(10), {{6e-6}, {6e-6}, {7e-6}, {6e-6}});
  never.processors = {8e-6, 12e-6, 7e-6, 8e-6};
  SampleSet samples = campaign({often, once, never});
  samples.probes = {{{1e-6}, {1e-6}, {1e-6}, {1e-6}}};
  const SampleSet kept = keep_undisturbed(samples);
  ASSERT_EQ(kept.measurements.size(), 3U);
  EXPECT_EQ(kept.measurements[0].passes, (std::vector<std::vector<double>>{{1e-6}, {}, {1.1e-6}, {}}));
  EXPECT_NEAR(kept.measurements[0].summary.median, 1.05e-6, 1e-12);
  EXPECT_EQ(kept.measurements[1].passes, (std::vector<std::vector<double>>{{}, {}, {}, {3e-6}}));
  EXPECT_EQ(kept.measurements[2].passes, never.passes) << "too few are left to leave any out";
}

TEST(UndisturbedState, ChangesNothingWithoutProbesOrValues) {
  SampleSet samples = campaign({measured(roundtrip(8), {{1e-6}, {3e-6}})});
  EXPECT_TRUE(undisturbed_passes(samples).empty());
  EXPECT_EQ(keep_undisturbed(samples).measurements[0].summary, samples.measurements[0].summary);
  samples.probes = {{{1e-6}, {3e-6}}};
  samples.measurements[0].passes.clear();
  EXPECT_EQ(keep_undisturbed(samples).measurements[0].summary, samples.measurements[0].summary);
}

TEST(Drift, IsAChangeBeyondNoise) {
  const auto around = [](double centre, double spread) {
    std::vector<double> values;
    for (int i = 0; i < 21; ++i) {
      values.push_back(centre + spread * (i - 10) / 10.0);
    }
    return summarise(std::vector<std::vector<double>>{values}, 0.95);
  };
  EXPECT_FALSE(has_changed(around(1, 0.01), around(1.03, 0.01), 0.025)) << "less than twice the precision";
  EXPECT_TRUE(has_changed(around(1, 0.01), around(1.08, 0.01), 0.025));
  EXPECT_TRUE(has_changed(around(1, 0.01), around(0.9, 0.01), 0.025));
  EXPECT_FALSE(has_changed(around(1, 0.3), around(1.08, 0.3), 0.025)) << "within the noise";
}

}  // namespace
}  // namespace postage
