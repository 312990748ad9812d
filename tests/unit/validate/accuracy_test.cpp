#include <postage/validate/accuracy.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

AccuracyPoint point(const std::string& algorithm, Bytes bytes, double measured, double predicted) {
  return {.platform = "somewhere",
          .placement = "block",
          .collective = "bcast",
          .algorithm = algorithm,
          .ranks = 8,
          .bytes = bytes,
          .measured = measured,
          .predicted = {{"model", predicted}}};
}

TEST(Accuracy, SumsUpErrors) {
  const std::vector<AccuracyPoint> points{point("a", 1, 1.0, 1.2), point("a", 2, 1.0, 0.95), point("a", 3, 1.0, 1.0)};
  const Accuracy accuracy = accuracy_of(points, "model");
  EXPECT_EQ(accuracy.errors.count, 3U);
  EXPECT_NEAR(accuracy.errors.median, 0.05, 1e-12);
  EXPECT_NEAR(accuracy.errors.maximum, 0.2, 1e-12);
  EXPECT_NEAR(accuracy.errors.within_tenth, 2.0 / 3, 1e-12);
  EXPECT_NEAR(accuracy.errors.bias, 0, 1e-12);
  EXPECT_EQ(accuracy.choices, 0U);
}

TEST(Accuracy, RegretIsWhatTheWrongPickCosts) {
  const std::vector<AccuracyPoint> points{point("fast", 1, 1.0, 3.0), point("slow", 1, 1.5, 2.0),
                                          point("fast", 2, 1.0, 2.0), point("slow", 2, 1.5, 3.0)};
  const Accuracy accuracy = accuracy_of(points, "model");
  EXPECT_EQ(accuracy.choices, 2U);
  EXPECT_NEAR(accuracy.maximum_regret, 0.5, 1e-12);
  EXPECT_NEAR(accuracy.median_regret, 0.25, 1e-12);
  EXPECT_NEAR(accuracy.picked_best, 0.5, 1e-12);
}

TEST(Accuracy, IsEmptyForAModelThatPredictedNothing) {
  const std::vector<AccuracyPoint> points{point("a", 1, 1.0, 1.2)};
  EXPECT_EQ(accuracy_of(points, "other").errors.count, 0U);
  EXPECT_EQ(models_of(points), std::vector<std::string>{"model"});
}

}  // namespace
}  // namespace postage
