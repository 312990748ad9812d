#include <postage/base/error.hpp>
#include <postage/measure/choices.hpp>

#include <gtest/gtest.h>

#include <random>

namespace postage {
namespace {

TEST(Choices, AreReadAsTheyWereWritten) {
  const std::string text = "2 bcast:binomial:64K; a=1 b=two; a=3\n8 barrier:linear:0\n";
  const auto points = parse_choices(text, "file");
  ASSERT_EQ(points.size(), 2U);
  ASSERT_EQ(points[0].choices.size(), 2U);
  EXPECT_EQ(points[0].choices[0][1], (LibrarySetting{"b", "two"}));
  EXPECT_EQ(format_choices(points), text);
  EXPECT_TRUE(points[0].standard.empty());
  EXPECT_THROW(static_cast<void>(parse_choices("2 bcast:binomial:64K; a", "file")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_choices("bcast:binomial:64K", "file")), UsageError);
}

TEST(Choices, OfTheDefaultAreReadAsTheyWereWritten) {
  const std::string text = "2 bcast:binomial:64K; default a=1 b=two; a=3; a=4\n2 bcast:binomial:8; default c=5\n";
  const auto points = parse_choices(text, "file");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].standard, (std::vector<LibrarySetting>{{"a", "1"}, {"b", "two"}}));
  ASSERT_EQ(points[0].choices.size(), 2U);
  EXPECT_EQ(points[0].choices[1], (std::vector<LibrarySetting>{{"a", "4"}}));
  EXPECT_TRUE(points[1].choices.empty());
  EXPECT_EQ(format_choices(points), text);
  EXPECT_THROW(static_cast<void>(parse_choices("2 bcast:binomial:64K; a=1; default b=2", "file")), UsageError)
      << "it comes first";
}

TEST(Choices, MpichTellsNumbersInItsDescriptions) {
  const std::string text =
      "Variable to select bcast algorithmauto - Internal algorithm selection (see FILE)binomial    - Force Binomial "
      "Treenb          - Force nonblocking algorithmscatter_ring - Force Scatter Recursive-Doubling\nring - Force Ring";
  EXPECT_EQ(number_in_description(text, "auto"), 0);
  EXPECT_EQ(number_in_description(text, "binomial"), 1);
  EXPECT_EQ(number_in_description(text, "nb"), 2);
  EXPECT_EQ(number_in_description(text, "scatter_ring"), 3);
  EXPECT_EQ(number_in_description(text, "ring"), 4);
  EXPECT_EQ(number_in_description(text, "tree"), std::nullopt);
}

/// Rounds in which choice c takes factors[c] times what the default takes, with noise that a round has in common.
std::vector<ChoiceRounds> rounds_of(const std::vector<double>& factors, std::size_t count) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> common(1, 3);
  std::normal_distribution<double> own(1, 0.01);
  std::vector<ChoiceRounds> rounds(factors.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double machine = common(random);
    for (std::size_t c = 0; c < factors.size(); ++c) {
      rounds[c].times.push_back(machine * factors[c] * own(random));
    }
  }
  return rounds;
}

TEST(Choices, SlowOnesAreLeftOut) {
  const auto rounds = rounds_of({1, 0.8, 0.81, 1.5, 0.9}, 12);
  const std::vector<bool> left = choices_left(rounds, {true, true, true, true, true});
  EXPECT_TRUE(left[0]);
  EXPECT_TRUE(left[1]);
  EXPECT_FALSE(left[3]);
  EXPECT_FALSE(left[4]);
}

TEST(Choices, OneThatIsSurelyFasterOrSurelyNotIsDecided) {
  EXPECT_TRUE(is_decided(rounds_of({1, 0.8}, 12), {true, true}));
  EXPECT_TRUE(is_decided(rounds_of({1, 1.1}, 12), {true, true}));
  EXPECT_FALSE(is_decided(rounds_of({1, 0.98}, 12), {true, true}));
  EXPECT_FALSE(is_decided(rounds_of({1, 0.8, 0.8}, 12), {true, true, true}));
  EXPECT_TRUE(is_decided(rounds_of({1}, 12), {true}));
}

}  // namespace
}  // namespace postage
