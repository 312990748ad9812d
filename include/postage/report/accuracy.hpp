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

/// The page in Markdown, which leads with the section of random platforms; its figures are expected beside it in
/// images/accuracy-errors.svg and images/accuracy-scatter.svg.
[[nodiscard]] std::string accuracy_page(const AccuracyReport& report, const std::string& random_section);

/// The section of random platforms, in Markdown, between two comments that mark it.
[[nodiscard]] std::string random_section(const AccuracyReport& report);
/// What stands there before any was run.
[[nodiscard]] std::string empty_section();
/// The section of a page; empty where it has none.
[[nodiscard]] std::string section_in(const std::string& page);
/// The same with what stands below it, up to the next heading.
[[nodiscard]] std::string section_with_remarks_in(const std::string& page);
/// The page with this section in the place of its own. Throws Error where it has none.
[[nodiscard]] std::string with_section(std::string page, const std::string& section);

}  // namespace postage
