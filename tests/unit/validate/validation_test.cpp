#include <postage/validate/validation.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

ValidationRow row(std::string model, std::string collective, std::string algorithm, double predicted) {
  ValidationRow row;
  row.model = std::move(model);
  row.collective = std::move(collective);
  row.algorithm = std::move(algorithm);
  row.predicted = predicted;
  row.measured = 1;
  return row;
}

const std::vector<ValidationRow> kRows{row("lmo", "bcast", "binomial", 1.02), row("lmo", "bcast", "linear", 0.5),
                                       row("lmo", "barrier", "linear", 1.06), row("logp", "bcast", "linear", 3)};

TEST(ErrorSummaries, AreOfAlgorithmsInTheOrderOfTheirRows) {
  const auto summaries = summarise_errors(kRows);
  ASSERT_EQ(summaries.size(), 4U);
  EXPECT_EQ(summaries[1].algorithm, "linear");
  EXPECT_EQ(summaries[2].collective, "barrier");
  EXPECT_DOUBLE_EQ(summaries[1].errors.maximum, 0.5);
  EXPECT_DOUBLE_EQ(summaries[1].errors.bias, -0.5);
}

TEST(ErrorSummaries, AreOfCollectivesAndModelsToo) {
  const auto collectives = summarise_errors(kRows, SummaryScope::kCollective);
  ASSERT_EQ(collectives.size(), 3U);
  EXPECT_EQ(collectives[0].errors.count, 2U);
  EXPECT_EQ(collectives[0].algorithm, "");

  const auto by_model = summarise_errors(kRows, SummaryScope::kModel);
  ASSERT_EQ(by_model.size(), 2U);
  EXPECT_EQ(by_model[0].errors.count, 3U);
  EXPECT_EQ(by_model[0].collective, "");
  EXPECT_NEAR(by_model[0].errors.median, 0.06, 1e-12);
  EXPECT_NEAR(by_model[0].errors.within_tenth, 2.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(by_model[1].errors.maximum, 2);
}

}  // namespace
}  // namespace postage
