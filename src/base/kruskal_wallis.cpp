#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Regularised lower incomplete gamma function P(a, x) by its series, for x < a + 1.
double gamma_series(double a, double x) {
  double term = 1 / a;
  double sum = term;
  for (double k = a + 1; term > sum * 1e-17; ++k) {
    term *= x / k;
    sum += term;
  }
  return sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}

/// Regularised upper incomplete gamma function Q(a, x) by its continued fraction, for x >= a + 1.
double gamma_fraction(double a, double x) {
  double b = x + 1 - a;
  double c = 1e300;
  double d = 1 / b;
  double fraction = d;
  for (int i = 1; i <= 500; ++i) {
    const double numerator = -i * (i - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    fraction *= d * c;
    if (std::abs(d * c - 1) < 1e-16) {
      break;
    }
  }
  return fraction * std::exp(a * std::log(x) - x - std::lgamma(a));
}

struct Ranked {
  double value = 0;
  std::size_t group = 0;
};

}  // namespace

double chi_squared_tail(double x, double degrees) {
  if (x <= 0) {
    return 1;
  }
  const double a = degrees / 2;
  return x / 2 < a + 1 ? 1 - gamma_series(a, x / 2) : gamma_fraction(a, x / 2);
}

double kruskal_wallis(std::span<const std::vector<double>> groups) {
  std::vector<Ranked> all;
  std::size_t filled = 0;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    filled += groups[group].empty() ? 0 : 1;
    for (const double value : groups[group]) {
      all.push_back({value, group});
    }
  }
  if (filled < 2) {
    return 1;
  }
  std::sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) { return a.value < b.value; });
  const auto n = static_cast<double>(all.size());
  std::vector<double> rank_sums(groups.size());
  double ties = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end].value == all[begin].value) {
      ++end;
    }
    const auto equal = static_cast<double>(end - begin);
    const double shared_rank = static_cast<double>(begin + end + 1) / 2;
    for (; begin < end; ++begin) {
      rank_sums[all[begin].group] += shared_rank;
    }
    ties += equal * equal * equal - equal;
  }
  const double correction = 1 - ties / (n * n * n - n);
  if (correction <= 0) {
    return 1;  // all the same
  }
  double statistic = -3 * (n + 1);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (!groups[group].empty()) {
      statistic += 12 / (n * (n + 1)) * rank_sums[group] * rank_sums[group] / static_cast<double>(groups[group].size());
    }
  }
  return chi_squared_tail(statistic / correction, static_cast<double>(filled - 1));
}

}  // namespace postage
