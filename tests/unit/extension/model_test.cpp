// What the library does with a model that it does not know: toy_model.cpp.
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/estimator.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/model/extrapolation.hpp>
#include <postage/model/model.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace postage {
namespace {

const std::vector<std::string> kAll{"all"};

std::string option(const std::vector<std::string>& words, std::string_view name) {
  const auto found = std::find(words.begin(), words.end(), name);
  return found == words.end() ? "" : *std::next(found);
}

TEST(ToyModel, IsListedLast) {
  EXPECT_EQ(models().back()->name, "toy");
  EXPECT_EQ(find_model("toy").title, "Toy");
  EXPECT_EQ(find_model("toy").parameters.back().symbol, "gamma");
  EXPECT_EQ(models_by_accuracy().back(), "toy");
  EXPECT_EQ(parse_models("all").back(), "toy");
  EXPECT_EQ(estimated_models().back(), "toy");
}

TEST(ToyModel, IsBuiltFromATable) {
  const ParameterTable table = parse_parameters("toy", "a=1us,b=1ns,gamma=2ns,t_0=3us");
  const Model model = build_model(table, kAll);
  EXPECT_DOUBLE_EQ(cost(model, {.bytes = 1000}).total(), 2e-6);
  EXPECT_DOUBLE_EQ(cost(model, {.bytes = 1000, .concurrency = 2}).total(), 4e-6);
  EXPECT_DOUBLE_EQ(combine_cost(model, 1000), 2e-6);
  EXPECT_DOUBLE_EQ(model.host().start, 3e-6);
  EXPECT_TRUE(feels_contention(model));
  EXPECT_FALSE(depends_on_ranks(model));
  EXPECT_FALSE(extrapolation_of(table, "all", {.bytes = 1 << 20}).is_any());
  EXPECT_THROW(static_cast<void>(parse_parameters("toy", "a=1us")), UsageError);
}

TEST(ToyModel, IsPredictedByName) {
  const ParameterTable table = parse_parameters("toy", find_model("toy").example);
  const Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "linear"), {.ranks = 2, .bytes = 1000});
  EXPECT_DOUBLE_EQ(predict(schedule, PlatformModel(table, kAll, ChannelMap::single_channel())).seconds, 2e-6);
}

TEST(ToyModel, IsPlannedFor) {
  const std::vector<std::string> words = experiments_for({"toy"}, {});
  EXPECT_EQ(option(words, "--sweep-sizes"), "0:128K:+8K");
  EXPECT_EQ(option(words, "--train-sizes"), "none");
}

TEST(ToyModel, IsEstimated) {
  std::vector<Experiment> experiments;
  for (Bytes bytes = 1024; bytes <= 65536; bytes *= 2) {
    experiments.push_back(
        {.kind = ExperimentKind::kRoundtrip, .source = 0, .target = 1, .bytes = bytes, .reply_bytes = bytes});
  }
  const SampleSet samples = measured(
      2, experiments, [](const Experiment& e) { return 2 * (1e-6 + 1e-9 * static_cast<double>(e.bytes)); }, {});
  const Platform platform = estimate_platform(samples, "two");
  ASSERT_FALSE(platform.models.empty());
  const ParameterTable& table = platform.models.back();
  ASSERT_EQ(table.model, "toy");
  EXPECT_NEAR(table.groups.front().values.at("a").value, 1e-6, 1e-9);
  EXPECT_NEAR(table.groups.front().values.at("b").value, 1e-9, 1e-12);
  EXPECT_GT(table.fit.held_out_points, 0U);
}

TEST(RegisterModel, RefusesWhatCannotBeUsed) {
  ModelDescriptor descriptor = find_model("toy");
  EXPECT_THROW(register_model(descriptor), UsageError);
  descriptor.name = "unbuilt";
  descriptor.build = nullptr;
  EXPECT_THROW(register_model(descriptor), UsageError);
  EXPECT_THROW(static_cast<void>(build_model({.model = "unbuilt", .groups = {{}}, .fit = {}}, kAll)), UsageError);
}

TEST(RegisterEstimator, RefusesUnknownModelsAndSecondEstimators) {
  EXPECT_THROW(register_estimator({"unknown", nullptr}), UsageError);
  EXPECT_THROW(register_estimator({"toy", nullptr}), UsageError);
}

}  // namespace
}  // namespace postage
