#include "report/curve_axis.hpp"

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

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return safe;
}

class CurveDrawing {
 public:
  CurveDrawing(const std::string& title, const std::vector<DrawnCurve>& curves, const DrawnAxis& x, const DrawnAxis& y)
      : title_(title), curves_(curves), x_(x), y_(y) {
    for (const DrawnCurve& curve : curves) {
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (can_show(curve, i)) {
          x_.take(curve.x[i]);
          y_.take(curve.y[i]);
        }
      }
    }
    if (x_.is_empty()) {
      throw Error("there is nothing to draw: every value is zero");
    }
  }

  [[nodiscard]] std::string render() const {
    const double height = std::max(kTop + kPlotHeight + 60, kTop + 20 * static_cast<double>(curves_.size()) + 30);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"system-ui, sans-serif\" role=\"img\"><title>{2}</title>"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
        "<text x=\"{3}\" y=\"26\" font-size=\"16\" font-weight=\"600\" fill=\"#222\">{2}</text>\n",
        kWidth, height, escaped(title_), kLeft);
    svg += x_grid() + y_grid();
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      svg += line(i) + legend_entry(i);
    }
    return svg + "</svg>\n";
  }

 private:
  [[nodiscard]] bool can_show(const DrawnCurve& curve, std::size_t i) const {
    return x_.can_show(curve.x[i]) && y_.can_show(curve.y[i]);
  }
  [[nodiscard]] double x(double value) const { return kLeft + kPlotWidth * x_.at(value); }
  [[nodiscard]] double y(double value) const { return kTop + kPlotHeight * (1 - y_.at(value)); }

  [[nodiscard]] std::string x_grid() const {
    std::string grid;
    for (const double mark : x_.marks()) {
      grid += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#ddd\"/>"
          "<text x=\"{0:.1f}\" y=\"{3}\" font-size=\"12\" text-anchor=\"middle\" fill=\"#444\">{4}</text>\n",
          x(mark), kTop, kTop + kPlotHeight, kTop + kPlotHeight + 20, format_value(mark, x_.axis().unit));
    }
    return grid +
           fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"12\" text-anchor=\"middle\" fill=\"#222\">{}</text>\n",
                       kLeft + kPlotWidth / 2, kTop + kPlotHeight + 44, escaped(x_.axis().title));
  }

  [[nodiscard]] std::string y_grid() const {
    std::string grid;
    for (const double mark : y_.marks()) {
      grid += fmt::format(
          "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>"
          "<text x=\"{3}\" y=\"{4:.1f}\" font-size=\"12\" text-anchor=\"end\" fill=\"#444\">{5}</text>\n",
          kLeft, kLeft + kPlotWidth, y(mark), kLeft - 8, y(mark) + 4, format_value(mark, y_.axis().unit));
    }
    return grid + fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"#222\">{}</text>\n", kLeft, kTop - 8,
                              escaped(y_.axis().title));
  }

  [[nodiscard]] static const char* colour_of(std::size_t i) { return kColours[i % kColours.size()]; }
  [[nodiscard]] static const char* dash_of(std::size_t i) { return kDashes[i / kColours.size() % kDashes.size()]; }

  [[nodiscard]] std::string line(std::size_t number) const {
    const DrawnCurve& curve = curves_[number];
    std::string path;
    std::string points;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (can_show(curve, i)) {
        const double px = x(curve.x[i]);
        const double py = y(curve.y[i]);
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px, py);
        points +=
            fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{}, {}: {}</title></circle>",
                        px, py, colour_of(number), escaped(curve.label), format_value(curve.x[i], x_.axis().unit),
                        format_value(curve.y[i], y_.axis().unit));
      }
    }
    if (curve.dots) {
      return points + "\n";
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
        escaped(curves_[number].label));
  }

  const std::string& title_;
  const std::vector<DrawnCurve>& curves_;
  CurveAxis x_;
  CurveAxis y_;
};

}  // namespace

std::string draw_curves(const std::string& title, const std::vector<DrawnCurve>& curves, const DrawnAxis& x,
                        const DrawnAxis& y) {
  return CurveDrawing(title, curves, x, y).render();
}

}  // namespace postage
