#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

namespace postage::test {

/// True where POSTAGE_EXHAUSTIVE is set in the environment (make test-all): ranges that are otherwise thinned out are
/// then run whole.
[[nodiscard]] inline bool is_exhaustive() {
  const char* const value = std::getenv("POSTAGE_EXHAUSTIVE");
  return value != nullptr && std::string_view(value) != "" && std::string_view(value) != "0";
}

/// Numbers of ranks from 1 to `most`: all of them if exhaustive. Otherwise all up to 9 and, of the larger ones, powers
/// of two and their neighbours (of which 17, 31 and 127 are primes, 33, 63 and 65 odd composites), and `most`.
[[nodiscard]] inline std::vector<int> rank_counts(int most) {
  const auto is_power_of_two = [](int n) { return (n & (n - 1)) == 0; };
  std::vector<int> counts;
  for (int n = 1; n <= most; ++n) {
    const bool is_near_power = is_power_of_two(n - 1) || is_power_of_two(n) || is_power_of_two(n + 1);
    if (is_exhaustive() || n <= 9 || n == most || is_near_power) {
      counts.push_back(n);
    }
  }
  return counts;
}

/// Roots among `ranks` ranks: all of them if exhaustive or up to 9 ranks. Otherwise the first and the last two, which
/// are even and odd ones, and one in the middle.
[[nodiscard]] inline std::vector<int> roots(int ranks) {
  std::vector<int> roots;
  for (int root = 0; root < ranks; ++root) {
    if (is_exhaustive() || ranks <= 9 || root < 2 || root >= ranks - 2 || root == ranks / 2) {
      roots.push_back(root);
    }
  }
  return roots;
}

}  // namespace postage::test
