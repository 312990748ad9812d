#include <postage/base/statistics.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace postage {
namespace {

TEST(Mean, DoesNotOverflow) {
  const std::vector<double> huge{1e308, 1e308, 1e308};
  EXPECT_DOUBLE_EQ(mean(huge), 1e308);
}

TEST(Variance, KeepsASmallSpreadBesideALargeMean) {
  const std::vector<double> sample{1e9 + 0.001, 1e9 + 0.002, 1e9 + 0.003};
  EXPECT_NEAR(variance(sample), 1e-6, 1e-9);
  EXPECT_EQ(variance(std::vector<double>{5}), 0);
}

TEST(Quantile, InterpolatesLikeRsType7) {
  const std::vector<double> sample{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(sample, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(sample, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(sample, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(sample, 1), 4);
  EXPECT_DOUBLE_EQ(median(sample), 2.5);
  EXPECT_DOUBLE_EQ(median_absolute_deviation(sample), 1);
}

// Values of R 4.2's qt(), 15 digits.
TEST(StudentT, AgreesWithR) {
  EXPECT_NEAR(student_t_quantile(0.975, 1) / 12.7062047361747, 1, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 2) / 4.30265272974946, 1, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 10) / 2.22813885198627, 1, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.995, 30) / 2.74999565356723, 1, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.05, 5) / -2.01504837333302, 1, 1e-12);
  EXPECT_EQ(student_t_quantile(0.5, 7), 0);
}

TEST(OrderInterval, NeedsSixValuesForNinetyFivePercent) {
  EXPECT_TRUE(std::isinf(order_median_interval(std::vector<double>{1, 2, 3, 4, 5}, 0.95).upper));
  EXPECT_EQ(order_median_interval(std::vector<double>{6, 5, 4, 3, 2, 1}, 0.95), (Interval{1, 6}));
  // Binomial(10, 1/2): P(X <= 1) = 0.0107, P(X <= 2) = 0.0547, so the second from each end.
  EXPECT_EQ(order_median_interval(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.95), (Interval{2, 9}));
}

TEST(Statistics, MedianIsSettledByThatManyTimesThatAgree) {
  EXPECT_FALSE(is_median_settled(std::vector<double>{1, 1}, 0));
  EXPECT_TRUE(is_median_settled(std::vector<double>{1, 1.0009, 1.0005}, 0));
  EXPECT_FALSE(is_median_settled(std::vector<double>{1, 1.002, 1.001}, 0)) << "three may agree by chance";
  EXPECT_FALSE(is_median_settled(std::vector<double>{1, 1.01, 1.001}, 0));
  EXPECT_TRUE(is_median_settled(std::vector<double>{1, 1.01, 1.001}, 0.01));
  EXPECT_FALSE(is_median_settled(std::vector<double>{1, 1.2, 1.1}, 0.3)) << "as far apart as they are long";
  EXPECT_FALSE(is_median_settled(std::vector<double>{1, 1.01, 1.02, 1.03, 1.035}, 0));
  EXPECT_TRUE(is_median_settled(std::vector<double>{1, 1.01, 1.02, 1.03, 1.035, 1.004}, 0));
  EXPECT_FALSE(is_median_settled(std::vector<double>{1, 1.01, 1.02, 1.03, 1.06, 1.004}, 0));
}

TEST(OrderInterval, CoversTheMedianAsOftenAsItSays) {
  int covered = 0;
  std::mt19937_64 generator(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> sample(40);
    for (double& value : sample) {
      value = -std::log(1 - static_cast<double>(generator() >> 11) * 0x1p-53);
    }
    covered += order_median_interval(sample, 0.95).contains(std::log(2.0)) ? 1 : 0;
  }
  EXPECT_GE(covered, 178);  // 95 % of 200, less four standard deviations
}

// Values of R 4.2's pchisq().
TEST(ChiSquared, AgreesWithR) {
  EXPECT_NEAR(chi_squared_tail(0.5, 1) / 4.79500122186953e-01, 1, 1e-12);
  EXPECT_NEAR(chi_squared_tail(3, 4) / 5.57825400371075e-01, 1, 1e-12);
  EXPECT_NEAR(chi_squared_tail(10, 5) / 7.52352461465122e-02, 1, 1e-12);
  EXPECT_NEAR(chi_squared_tail(40, 12) / 7.19088405284289e-05, 1, 1e-12);
  EXPECT_EQ(chi_squared_tail(0, 3), 1);
}

// Values of R 4.2's kruskal.test().
TEST(KruskalWallis, AgreesWithR) {
  using Groups = std::vector<std::vector<double>>;
  const Groups apart{{2.9, 3.0, 2.5, 2.6, 3.2}, {3.8, 2.7, 4.0, 2.4}, {2.8, 3.4, 3.7, 2.2, 2.0}};
  EXPECT_NEAR(kruskal_wallis(apart), 0.679964773578894, 1e-12);
  EXPECT_NEAR(kruskal_wallis(Groups{{1, 1, 2, 3}, {2, 2, 4, 5}, {}, {5, 5, 6, 1}}), 0.1852347412052, 1e-12);
  EXPECT_EQ(kruskal_wallis(Groups{{1, 1}, {1, 1, 1}}), 1);
  EXPECT_EQ(kruskal_wallis(Groups{{1, 2}}), 1);
}

std::vector<std::vector<double>> one_pass(std::vector<double> values) {
  return {std::move(values)};
}

TEST(Summarise, ReportsOutliersAndKeepsThem) {
  std::vector<double> sample(20);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sample[i] = 1 + 0.01 * static_cast<double>(i);
  }
  sample[3] = 50;
  const Summary summary = summarise(one_pass(sample), 0.95);
  EXPECT_EQ(summary.outliers, 1U);
  EXPECT_EQ(summary.maximum, 50);
  EXPECT_EQ(summary.count, 20U);
  EXPECT_EQ(summary.median_interval, order_median_interval(sample, 0.95));
}

TEST(Summarise, TakesRoundingForEqual) {
  std::vector<double> sample(30, 1e-6);
  sample[7] += 1e-17;
  sample[9] -= 1e-20;
  const Summary summary = summarise(one_pass(sample), 0.95);
  EXPECT_EQ(summary.outliers, 0U);
  EXPECT_TRUE(summary.modes.empty());
  EXPECT_LT(median_interval(one_pass({1e-6, 1e-6 + 1e-17}), 0.95).relative_half_width(1e-6), 1e-9);
  EXPECT_TRUE(std::isinf(median_interval(one_pass({1e-6, 1.1e-6}), 0.95).upper));
}

TEST(Summarise, SpansPassesThatDiffer) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> noise(0, 0.01);
  std::vector<std::vector<double>> passes(6);
  for (std::size_t pass = 0; pass < passes.size(); ++pass) {
    for (int i = 0; i < 40; ++i) {
      passes[pass].push_back(1 + (pass == 2 ? 0.5 : 0.0) + noise(generator));
    }
  }
  const Summary summary = summarise(passes, 0.95);
  EXPECT_FALSE(summary.steady);
  EXPECT_GT(summary.median_interval.upper, 1.48);
  EXPECT_LT(summary.median_interval.lower, 1);
  passes[2] = passes[1];
  EXPECT_TRUE(summarise(passes, 0.95).steady);
  EXPECT_LT(summarise(passes, 0.95).median_interval.upper, 1.01);
}

}  // namespace
}  // namespace postage
