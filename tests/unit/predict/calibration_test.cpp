#include <postage/predict/calibration.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace postage {
namespace {

constexpr const char* kCollectives[] = {"bcast", "scatter", "alltoall"};
constexpr Bytes kSizes[] = {64, 8 << 10, 1 << 20};

/// Errors of many platforms: heavy-tailed, and ten times as large for large messages between all as for small ones.
class AnyErrors {
 public:
  explicit AnyErrors(std::uint64_t seed) : random_(seed) {}

  HeldOutCollective collective(bool chooses) {
    const auto size = static_cast<std::size_t>(random_() % 3);
    const auto traffic = static_cast<std::size_t>(random_() % 3);
    const double scale = 0.01 * (1 + 3.0 * static_cast<double>(size)) * (1 + 1.5 * static_cast<double>(traffic));
    const double error = scale * std::student_t_distribution<double>(3)(random_);
    const double measured = std::exp(error);
    return {.collective = kCollectives[traffic],
            .algorithm = "any",
            .ranks = 8,
            .bytes = kSizes[size],
            .message = kSizes[size],
            .measured = {measured, measured, measured},
            .chooses = chooses};
  }

 private:
  std::mt19937_64 random_;
};

HeldOut any_held_out(AnyErrors& errors, std::size_t count) {
  HeldOut held_out;
  for (std::size_t i = 0; i < count; ++i) {
    held_out.collectives.push_back(errors.collective(i % 2 == 0));
  }
  held_out.predictions.push_back({"flow", "flows", std::vector<Seconds>(count, 1.0)});
  return held_out;
}

/// Share of new collectives within the intervals of many platforms, and of the large ones between all.
std::pair<double, double> coverage(std::size_t held_out_count, bool was_chosen) {
  double inside = 0;
  double all = 0;
  double inside_worst = 0;
  double worst = 0;
  for (std::uint64_t platform = 0; platform < 300; ++platform) {
    AnyErrors errors(platform);
    const HeldOut held_out = any_held_out(errors, held_out_count);
    const Calibration calibration(held_out, held_out.predictions.front(), was_chosen);
    for (int i = 0; i < 60; ++i) {
      const HeldOutCollective one = errors.collective(false);
      const ErrorClass what = error_class(one.collective, one.message);
      const bool is_inside = std::abs(std::log(one.measured.value)) <= calibration.half_width(what, 0);
      all += 1;
      inside += is_inside ? 1 : 0;
      if (what.size == 2 && what.traffic == 2) {
        worst += 1;
        inside_worst += is_inside ? 1 : 0;
      }
    }
  }
  return {inside / all, inside_worst / worst};
}

TEST(Calibration, HoldsNinetyFivePercent) {
  for (const auto& [count, was_chosen] : {std::pair{60, false}, {60, true}, {24, true}, {200, false}}) {
    const auto [share, of_worst] = coverage(static_cast<std::size_t>(count), was_chosen);
    EXPECT_GT(share, 0.93) << count;
    EXPECT_LT(share, 0.98) << count;
    EXPECT_GT(of_worst, 0.85) << count << ": the class with the largest errors";
  }
}

/// Errors are wider where the class's are, and by what parameters are less known than at the held-out collectives.
TEST(Calibration, WidensByClassAndByUncertainty) {
  AnyErrors errors(7);
  HeldOut held_out = any_held_out(errors, 60);
  const Calibration calibration(held_out, held_out.predictions.front(), false);
  EXPECT_EQ(calibration.points(), 60U);
  const ErrorClass small = error_class("bcast", 64);
  EXPECT_GT(calibration.half_width(error_class("alltoall", 1 << 20), 0), 2 * calibration.half_width(small, 0));
  EXPECT_GT(calibration.half_width(small, 0.5), 0.4);
  held_out.predictions.front().uncertainty.assign(60, 0.5);
  const Calibration usual(held_out, held_out.predictions.front(), false);
  EXPECT_DOUBLE_EQ(usual.half_width(small, 0.5), calibration.half_width(small, 0));
}

/// Exact times still have the model's own error; a model that is always right has intervals that are all but points.
TEST(Calibration, OfExactTimes) {
  AnyErrors errors(1);
  HeldOut held_out = any_held_out(errors, 40);
  for (HeldOutCollective& one : held_out.collectives) {
    one.measured = Estimate::exactly(1);
  }
  EXPECT_LT(Calibration(held_out, held_out.predictions.front(), false).half_width(error_class("bcast", 64), 0), 1e-4);
}

/// A rank lost its processor in one of 26: the interval reaches that far, and not many times as far.
TEST(Calibration, OneErrorOfAnotherKindBoundsTheIntervals) {
  AnyErrors errors(3);
  HeldOut held_out = any_held_out(errors, 26);
  held_out.collectives[4].measured = Estimate::exactly(1000);
  const Calibration calibration(held_out, held_out.predictions.front(), false);
  double widest = 0;
  for (const char* collective : {"bcast", "gather", "allreduce"}) {
    for (const Bytes message : {Bytes{64}, Bytes{8} << 10, Bytes{1} << 20}) {
      widest = std::max(widest, calibration.half_width(error_class(collective, message), 0));
    }
  }
  EXPECT_GT(widest, 1);
  EXPECT_LE(widest, std::log(1000) * 1.001);
}

TEST(Calibration, NeedsSomeCollectives) {
  AnyErrors errors(1);
  EXPECT_TRUE(calibrations_of(any_held_out(errors, 8), "flow", true).empty()) << "four of eight did not choose";
  EXPECT_EQ(calibrations_of(any_held_out(errors, 8), "flow", false).size(), 1U);
  EXPECT_TRUE(calibrations_of(any_held_out(errors, 60), "hockney", false).empty());
}

/// A platform where Hockney errs by 1 % and LogGP by 10 %.
HeldOut with_two_models() {
  HeldOut held_out;
  for (int i = 0; i < 20; ++i) {
    held_out.collectives.push_back({.collective = "bcast",
                                    .algorithm = "binomial",
                                    .ranks = 4,
                                    .bytes = 64,
                                    .message = 64,
                                    .measured = Estimate::exactly(1),
                                    .chooses = i % 2 == 0});
  }
  held_out.predictions = {{"hockney", "auto", std::vector<Seconds>(20, 1.01)},
                          {"loggp", "auto", std::vector<Seconds>(20, 1.1)},
                          {"hockney", "timeline", std::vector<Seconds>(20, 1.01)}};
  return held_out;
}

TEST(ModelChoice, TakesTheModelThatIsBestHere) {
  const std::vector<ParameterTable> tables{{.model = "loggp"}, {.model = "hockney"}};
  const ModelChoice here = choose_model(tables, with_two_models());
  EXPECT_EQ(here.table->model, "hockney");
  EXPECT_TRUE(here.by_both_halves);
  EXPECT_NE(here.reason.find("10 collectives"), std::string::npos) << here.reason;
  EXPECT_EQ(choose_model(tables, {}).table->model, "loggp") << "the most accurate elsewhere";
}

/// 20 collectives that LMO predicts exactly but for every `wrong_each`-th, which it takes for twice as long, and flow
/// everywhere 3 % too long.
HeldOut with_a_model_that_is_often_exact(std::size_t wrong_each) {
  HeldOut held_out = with_two_models();
  held_out.predictions = {{"lmo", "auto", std::vector<Seconds>(20, 1.0)},
                          {"flow", "auto", std::vector<Seconds>(20, 1.03)}};
  for (std::size_t i = 0; i < 20; i += wrong_each) {
    held_out.predictions[0].seconds[i] = 2;
  }
  return held_out;
}

/// Both halves see every third one.
TEST(ModelChoice, LargeErrorsDecide) {
  const std::vector<ParameterTable> tables{{.model = "lmo"}, {.model = "flow"}};
  EXPECT_EQ(choose_model(tables, with_a_model_that_is_often_exact(3)).table->model, "flow");
  EXPECT_EQ(choose_model(tables, with_a_model_that_is_often_exact(20)).table->model, "flow")
      << "one of ten may be chance: the model that is the most accurate elsewhere";
  HeldOut never = with_a_model_that_is_often_exact(20);
  never.predictions[0].seconds[0] = 1;
  EXPECT_EQ(choose_model(tables, never).table->model, "lmo");
}

/// Where each half takes another model, only the half that did not choose gives the intervals.
TEST(ModelChoice, KeepsHalvesApartWhereTheyDiffer) {
  const std::vector<ParameterTable> tables{{.model = "loggp"}, {.model = "hockney"}};
  HeldOut held_out = with_two_models();
  for (std::size_t i = 1; i < 20; i += 2) {
    held_out.predictions[0].seconds[i] = 1.2;
    held_out.predictions[2].seconds[i] = 1.2;
  }
  const ModelChoice choice = choose_model(tables, held_out);
  EXPECT_EQ(choice.table->model, "hockney");
  EXPECT_FALSE(choice.by_both_halves);
  EXPECT_EQ(calibrations_of(held_out, "hockney", choice).at("timeline").points(), 10U);
}

/// Predictions of a model without intervals have one, which a prediction by another evaluator has not.
TEST(Calibration, GivesPredictionsTheirIntervals) {
  const ParameterTable table = parse_parameters("hockney", "alpha=1us,beta=1ns");
  const PlatformModel model = PlatformModel(table, {kAllChannels}, ChannelMap::single_channel())
                                  .with_calibrations(calibrations_of(with_two_models(), "hockney", false));
  const Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "binomial"), {.ranks = 4, .bytes = 64});
  const Prediction held_out = predict(schedule, model, Evaluator::kTimeline);
  EXPECT_EQ(held_out.bounds, BoundsOrigin::kHeldOut);
  EXPECT_NEAR(held_out.upper / held_out.seconds, 1.01, 1e-3);
  EXPECT_NEAR(held_out.seconds / held_out.lower, 1.01, 1e-3);
  EXPECT_EQ(predict(schedule, model, Evaluator::kRounds).bounds, BoundsOrigin::kParameters);
}

}  // namespace
}  // namespace postage
