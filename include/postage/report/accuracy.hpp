#pragma once

#include <postage/validate/accuracy_report.hpp>

#include <span>
#include <string>

namespace postage {

/// Share of points (0 to 1) with at most so large an error, one curve for each model, on logarithmic errors. Throws
/// Error without points.
[[nodiscard]] std::string error_distribution_svg(std::span<const AccuracyPoint> points);

/// Predicted against measured times of one model, both logarithmic, one colour for each platform. Throws Error without
/// points.
[[nodiscard]] std::string scatter_svg(std::span<const AccuracyPoint> points, const std::string& model);

/// The page in Markdown; its figures are expected beside it in images/accuracy-errors.svg and
/// images/accuracy-scatter.svg.
[[nodiscard]] std::string accuracy_page(const AccuracyReport& report);

}  // namespace postage
