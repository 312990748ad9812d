#pragma once

#include <postage/report/accuracy.hpp>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace postage {

template <typename Select>
std::vector<AccuracyPoint> selected(std::span<const AccuracyPoint> points, const Select& select) {
  std::vector<AccuracyPoint> some;
  std::copy_if(points.begin(), points.end(), std::back_inserter(some), select);
  return some;
}

// Tables in Markdown.

/// Errors and regret of each model, of one model on each platform, and of one model for each collective.
[[nodiscard]] std::string by_model(std::span<const AccuracyPoint> points);
[[nodiscard]] std::string by_platform(const AccuracyReport& report, const std::string& model);
[[nodiscard]] std::string by_collective(const AccuracyReport& report, const std::string& model);

/// The points that a model misses by most.
[[nodiscard]] std::string worst_points(const AccuracyReport& report, const std::string& model, std::size_t count);

/// Each algorithm beside SMPI's implementation of it.
[[nodiscard]] std::string library_table(const AccuracyReport& report);

/// The spread of the repetitions of one point, by platform.
[[nodiscard]] std::string scatter_table(const AccuracyReport& report);

/// The noise floor of real platforms, and how close predictions come to it.
[[nodiscard]] std::string real_noise_table(const AccuracyReport& report);

}  // namespace postage
