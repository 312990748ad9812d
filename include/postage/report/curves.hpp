#pragma once

#include <postage/base/units.hpp>

#include <string>
#include <vector>

namespace postage {

/// One line of a drawing: points with ascending `x`, or dots that no line joins.
struct DrawnCurve {
  std::string label;
  std::vector<double> x;
  std::vector<double> y;
  bool dots = false;
};

/// How values are written at an axis and in tooltips; shares are written as per cent.
enum class AxisUnit { kBytes, kSeconds, kRate, kShare, kNumber };

[[nodiscard]] std::string format_value(double value, AxisUnit unit);

struct DrawnAxis {
  std::string title;
  AxisUnit unit = AxisUnit::kNumber;
  bool logarithmic = true;  ///< otherwise linear, from zero where that is near
};

inline constexpr const char* kSizeAxis = "message size [bytes]";

/// A standalone SVG with a legend, and each curve's points with their values as tooltips. On a logarithmic axis points
/// of no more than zero are left out. Throws Error if none is left.
[[nodiscard]] std::string draw_curves(const std::string& title, const std::vector<DrawnCurve>& curves,
                                      const DrawnAxis& x = {kSizeAxis, AxisUnit::kBytes},
                                      const DrawnAxis& y = {"", AxisUnit::kSeconds});

}  // namespace postage
