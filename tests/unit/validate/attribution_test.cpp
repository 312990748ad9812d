#include <postage/base/error.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/schedule/prefix.hpp>
#include <postage/validate/attribution.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace postage {
namespace {

PlatformModel loggp(const std::string& parameters) {
  return {parse_parameters("loggp", parameters), {kAllChannels}, ChannelMap::single_channel()};
}

constexpr const char* kModel = "L=5us,o=1us,g=2us,G=1ns";

Measurement timed(const CollectiveRun& run, const PlatformModel& truth) {
  Measurement m;
  m.experiment = {.kind = ExperimentKind::kCollective,
                  .bytes = run.bytes,
                  .collective = std::string(name_of(run.collective)),
                  .algorithm = run.algorithm,
                  .ranks = run.ranks,
                  .steps = run.steps};
  m.summary.count = 1;
  m.summary.median = predict(schedule_of(run, run.ranks), truth).seconds;
  return m;
}

/// An algorithm at several sizes and numbers of ranks, as `truth` has it.
SampleSet samples_of(Collective collective, const std::string& algorithm, const PlatformModel& truth) {
  SampleSet samples;
  for (const Rank ranks : {4, 8, 16}) {
    for (const Bytes bytes : {Bytes{64}, Bytes{8} << 10, Bytes{1} << 20}) {
      samples.measurements.push_back(timed({collective, algorithm, bytes, 0, 0, ranks}, truth));
    }
  }
  return samples;
}

TEST(Attribution, NamesTheParameterThatIsWrong) {
  struct Wrong {
    const char* truth;
    const char* symbol;
    double factor;
  };
  for (const Wrong& wrong :
       {Wrong{"L=5us,o=1us,g=2us,G=1.8ns", "G: ", 1.8}, Wrong{"L=12us,o=1us,g=2us,G=1ns", "L: ", 2.4}}) {
    const SampleSet samples = samples_of(Collective::kBcast, "binomial", loggp(wrong.truth));
    const Attribution found = attribute_errors(samples, Collective::kBcast, "binomial", loggp(kModel), std::nullopt);
    ASSERT_FALSE(found.causes.empty());
    EXPECT_TRUE(found.can_tell());
    const auto cause = std::find_if(found.causes.begin(), found.causes.end(),
                                    [&](const Cause& one) { return one.term.starts_with(wrong.symbol); });
    ASSERT_NE(cause, found.causes.end());
    EXPECT_TRUE(cause == found.causes.begin() || cause->like_first) << found.causes.front().term;
    EXPECT_NEAR(cause->factor, wrong.factor, 0.05);
    EXPECT_GT(cause->explained, 0.99);
  }
}

/// What the model does not know: each message costs its sender 3 us more.
TEST(Attribution, NamesWhatIsMissing) {
  SampleSet samples = samples_of(Collective::kScatter, "linear", loggp(kModel));
  for (Measurement& m : samples.measurements) {
    m.summary.median += 3e-6 * (m.experiment.ranks - 1);
  }
  const Attribution found = attribute_errors(samples, Collective::kScatter, "linear", loggp(kModel), std::nullopt);
  const auto cause = std::find_if(found.causes.begin(), found.causes.end(),
                                  [](const Cause& one) { return one.term.starts_with("sender's overhead"); });
  ASSERT_NE(cause, found.causes.end());
  EXPECT_NEAR(cause->factor, 3e-6, 1e-9);
  EXPECT_GT(cause->explained, 0.999);
  EXPECT_TRUE(cause == found.causes.begin() || cause->like_first) << found.causes.front().term;
}

/// One time cannot say of what something is missing.
TEST(Attribution, SaysThatOneSampleDoesNotTell) {
  SampleSet samples;
  samples.measurements.push_back(
      timed({Collective::kBcast, "binomial", 1024, 0, 0, 8}, loggp("L=9us,o=1us,g=2us,G=1ns")));
  const Attribution found = attribute_errors(samples, Collective::kBcast, "binomial", loggp(kModel), std::nullopt);
  EXPECT_FALSE(found.can_tell());
  EXPECT_TRUE(found.causes.at(1).like_first);
  EXPECT_THROW(static_cast<void>(attribute_errors(samples, Collective::kBcast, "linear", loggp(kModel), std::nullopt)),
               UsageError);
}

/// From collectives that were stopped after each of their steps.
TEST(Attribution, SplitsAMissIntoSteps) {
  const CollectiveRun run{Collective::kAllreduce, "ring", 64 << 10, 0, 0, 4};
  const Index steps = step_count(schedule_of(run, 4));
  SampleSet samples;
  for (Index i = 1; i <= steps; ++i) {
    CollectiveRun stopped = run;
    stopped.steps = i < steps ? i : 0;
    samples.measurements.push_back(timed(stopped, loggp("L=9us,o=1us,g=2us,G=1ns")));
  }
  const Attribution found = attribute_errors(samples, Collective::kAllreduce, "ring", loggp(kModel), std::nullopt);
  ASSERT_EQ(found.steps.size(), static_cast<std::size_t>(steps));
  for (const StepTime& step : found.steps) {
    EXPECT_NEAR(step.measured - step.predicted, 4e-6, 1e-9) << step.name;
  }
}

}  // namespace
}  // namespace postage
