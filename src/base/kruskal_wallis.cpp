#include <postage/base/statistics.hpp>

#include <algorithm>

namespace postage {
namespace {

struct Ranked {
  double value = 0;
  std::size_t group = 0;
};

}  // namespace

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
