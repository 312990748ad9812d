#pragma once

#include <postage/estimate/breaks.hpp>

#include <string>
#include <vector>

namespace postage {

/// A series, and how to look for breaks in it.
struct BreakCase {
  std::string what;
  std::vector<SeriesPoint> series;
  Regression regression = Regression::kLine;
  ErrorScale errors = ErrorScale::kAbsolute;
  std::size_t least_points = 0;
  std::size_t most_breaks = 0;

  [[nodiscard]] BreakSettings settings() const {
    return {.regression = regression, .errors = errors, .least_points = least_points, .most_breaks = most_breaks};
  }
};

/// What strucchange says of one case.
struct OracleAnswer {
  std::vector<Segmentation> by_count;
  std::size_t chosen = 0;
  /// Of the chosen breaks, not limited to the series; empty where it gives none.
  std::vector<long> lowest;
  std::vector<long> highest;
};

/// Runs strucchange over all cases at once. Throws Error where R or strucchange is missing: scripts/setup test.
[[nodiscard]] std::vector<OracleAnswer> ask_strucchange(const std::vector<BreakCase>& cases);

}  // namespace postage
