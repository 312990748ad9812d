#pragma once

#include <postage/base/units.hpp>

#include <string>
#include <vector>

namespace postage {

/// One line of a drawing: seconds at sizes, ascending.
struct DrawnCurve {
  std::string label;
  std::vector<Bytes> sizes;
  std::vector<Seconds> seconds;
};

inline constexpr const char* kSizeAxis = "message size [bytes]";

/// A standalone SVG with both axes logarithmic, a legend, and each curve's points with their values as tooltips.
/// Points of no bytes or no seconds, which have no logarithm, are left out. Throws Error if none is left.
[[nodiscard]] std::string draw_curves(const std::string& title, const std::vector<DrawnCurve>& curves,
                                      const std::string& size_axis = kSizeAxis);

}  // namespace postage
