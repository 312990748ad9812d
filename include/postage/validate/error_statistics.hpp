#pragma once

#include <cstddef>
#include <span>

namespace postage {

/// How far predictions are from what was measured: relative errors, (predicted - measured)/measured.
struct ErrorStatistics {
  std::size_t count = 0;
  double median = 0;  ///< of |error|
  double percentile95 = 0;
  double maximum = 0;
  double within_tenth = 0;  ///< share of those with |error| <= 10 %
  double bias = 0;          ///< median of the signed error
};

/// All 0 where there are no errors. O(n log n).
[[nodiscard]] ErrorStatistics error_statistics(std::span<const double> errors);

}  // namespace postage
