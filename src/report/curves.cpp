#include <postage/base/error.hpp>
#include <postage/report/curves.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace postage {
namespace {

constexpr double kWidth = 900;
constexpr double kLeft = 80;
constexpr double kPlotWidth = 560;
constexpr double kTop = 50;
constexpr double kPlotHeight = 420;
constexpr double kLegendLeft = kLeft + kPlotWidth + 24;
/// Okabe and Ito's palette; further curves repeat it with another dash.
constexpr std::array<const char*, 7> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                              "#E69F00", "#56B4E9", "#444444"};
constexpr std::array<const char*, 4> kDashes{"", "6 3", "2 3", "8 3 2 3"};

/// A logarithmic axis between the least and the largest value.
struct Axis {
  double low = 0;
  double high = 0;

  void take(double value) {
    const double log = std::log2(value);
    low = empty ? log : std::min(low, log);
    high = empty ? log : std::max(high, log);
    empty = false;
  }
  /// 0 at the least value, 1 at the largest.
  [[nodiscard]] double at(double value) const { return high > low ? (std::log2(value) - low) / (high - low) : 0.5; }
  bool empty = true;
};

class CurveDrawing {
 public:
  CurveDrawing(const std::string& title, const std::vector<DrawnCurve>& curves, const std::string& size_axis)
      : title_(title), curves_(curves), size_axis_(size_axis) {
    for (const DrawnCurve& curve : curves) {
      for (std::size_t i = 0; i < curve.sizes.size(); ++i) {
        if (has_logarithm(curve, i)) {
          x_.take(static_cast<double>(curve.sizes[i]));
          y_.take(curve.seconds[i]);
        }
      }
    }
    if (x_.empty) {
      throw Error("there is nothing to draw: every size or time is zero");
    }
  }

  [[nodiscard]] std::string render() const {
    const double height = std::max(kTop + kPlotHeight + 60, kTop + 20 * static_cast<double>(curves_.size()) + 30);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"system-ui, sans-serif\" role=\"img\"><title>{2}</title>"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
        "<text x=\"{3}\" y=\"26\" font-size=\"16\" font-weight=\"600\" fill=\"#222\">{2}</text>\n",
        kWidth, height, title_, kLeft);
    svg += size_grid() + time_grid();
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      svg += line(i) + legend_entry(i);
    }
    return svg + "</svg>\n";
  }

 private:
  [[nodiscard]] static bool has_logarithm(const DrawnCurve& curve, std::size_t i) {
    return curve.sizes[i] > 0 && curve.seconds[i] > 0;
  }
  [[nodiscard]] double x(double bytes) const { return kLeft + kPlotWidth * x_.at(bytes); }
  [[nodiscard]] double y(double seconds) const { return kTop + kPlotHeight * (1 - y_.at(seconds)); }

  /// At most nine powers of two.
  [[nodiscard]] std::string size_grid() const {
    std::string grid;
    const int first = static_cast<int>(std::ceil(x_.low - 1e-9));
    const int last = static_cast<int>(std::floor(x_.high + 1e-9));
    const int step = (last - first) / 9 + 1;
    for (int power = first; power <= last; power += step) {
      const double at = x(std::exp2(power));
      grid += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#ddd\"/>"
          "<text x=\"{0:.1f}\" y=\"{3}\" font-size=\"12\" text-anchor=\"middle\" fill=\"#444\">{4}</text>\n",
          at, kTop, kTop + kPlotHeight, kTop + kPlotHeight + 20, format_bytes(Bytes{1} << power));
    }
    return grid +
           fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"12\" text-anchor=\"middle\" fill=\"#222\">{}</text>\n",
                       kLeft + kPlotWidth / 2, kTop + kPlotHeight + 44, size_axis_);
  }

  /// Powers of ten; also twice and five times those where they are few.
  [[nodiscard]] std::string time_grid() const {
    const double first = y_.low / std::log2(10.0);
    const double last = y_.high / std::log2(10.0);
    std::string grid;
    for (double power = std::floor(first); power <= last; ++power) {
      grid += time_line(std::pow(10, power));
      if (last - first < 2.5) {
        grid += time_line(2 * std::pow(10, power)) + time_line(5 * std::pow(10, power));
      }
    }
    return grid;
  }

  /// Nothing beyond the axis.
  [[nodiscard]] std::string time_line(double seconds) const {
    if (std::log2(seconds) < y_.low - 1e-9 || std::log2(seconds) > y_.high + 1e-9) {
      return "";
    }
    return fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" font-size=\"12\" text-anchor=\"end\" fill=\"#444\">{5}</text>\n",
        kLeft, kLeft + kPlotWidth, y(seconds), kLeft - 8, y(seconds) + 4, format_seconds(seconds));
  }

  [[nodiscard]] static const char* colour_of(std::size_t i) { return kColours[i % kColours.size()]; }
  [[nodiscard]] static const char* dash_of(std::size_t i) { return kDashes[i / kColours.size() % kDashes.size()]; }

  [[nodiscard]] std::string line(std::size_t number) const {
    const DrawnCurve& curve = curves_[number];
    std::string path;
    std::string points;
    for (std::size_t i = 0; i < curve.sizes.size(); ++i) {
      if (has_logarithm(curve, i)) {
        const double px = x(static_cast<double>(curve.sizes[i]));
        const double py = y(curve.seconds[i]);
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px, py);
        points += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{}, {}: {}</title></circle>", px, py,
            colour_of(number), curve.label, format_bytes(curve.sizes[i]), format_seconds(curve.seconds[i]));
      }
    }
    return fmt::format(
               "<path class=\"curve\" d=\"{}\" stroke=\"{}\" stroke-width=\"1.8\" stroke-dasharray=\"{}\" "
               "fill=\"none\"/>",
               path, colour_of(number), dash_of(number)) +
           points + "\n";
  }

  [[nodiscard]] std::string legend_entry(std::size_t number) const {
    const double at = kTop + 10 + 20 * static_cast<double>(number);
    return fmt::format(
        "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2.5\" "
        "stroke-dasharray=\"{}\"/><text x=\"{}\" y=\"{:.1f}\" font-size=\"12\" fill=\"#222\">{}</text>\n",
        kLegendLeft, kLegendLeft + 26, at, at, colour_of(number), dash_of(number), kLegendLeft + 32, at + 4,
        curves_[number].label);
  }

  const std::string& title_;
  const std::vector<DrawnCurve>& curves_;
  const std::string& size_axis_;
  Axis x_;
  Axis y_;
};

}  // namespace

std::string draw_curves(const std::string& title, const std::vector<DrawnCurve>& curves, const std::string& size_axis) {
  return CurveDrawing(title, curves, size_axis).render();
}

}  // namespace postage
