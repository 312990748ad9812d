#include <postage/base/error.hpp>
#include <postage/report/accuracy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace postage {
namespace {

constexpr double kLeft = 70;
constexpr double kTop = 40;
constexpr double kPlotWidth = 520;
constexpr double kPlotHeight = 380;
constexpr double kLegendLeft = kLeft + kPlotWidth + 20;
/// Okabe and Ito's palette, with a few more for long lists; what comes after them takes the same again, but dashed
/// lines and rings for dots.
constexpr std::array<const char*, 10> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
                                               "#56B4E9", "#444444", "#8C6BB1", "#A6761D", "#66A61E"};

const char* colour(std::size_t i) {
  return kColours[i % kColours.size()];
}

bool is_repeated(std::size_t i) {
  return i >= kColours.size();
}

/// Decades from 10^low to 10^high.
struct Decades {
  int low = 0;
  int high = 1;
  /// 0 to 1; what lies outside is put on the edge.
  [[nodiscard]] double at(double value) const {
    const double log = std::log10(std::max(value, 1e-300));
    return std::clamp((log - low) / (high - low), 0.0, 1.0);
  }
};

double x_at(double share) {
  return kLeft + kPlotWidth * share;
}
double y_at(double share) {
  return kTop + kPlotHeight * (1 - share);
}

std::string text_at(double x, double y, const std::string& text, const char* anchor = "start") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     text);
}

std::string line(double x1, double y1, double x2, double y2, const char* stroke) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                     stroke);
}

std::string framed(const std::string& title, const std::string& body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 490\" width=\"800\" height=\"490\" "
      "font-family=\"system-ui, sans-serif\" role=\"img\"><title>{0}</title>\n"
      "<rect width=\"800\" height=\"490\" fill=\"#fff\"/>\n"
      "<text x=\"{1}\" y=\"24\" font-size=\"15\">{0}</text>\n{2}</svg>\n",
      title, kLeft, body);
}

const char* dash(std::size_t i) {
  return is_repeated(i) ? " stroke-dasharray=\"6 3\"" : "";
}

/// A dot, or a ring where the colour was used before.
std::string dot(double x, double y, double radius, std::size_t i) {
  const std::string look =
      is_repeated(i) ? fmt::format("fill=\"none\" stroke=\"{}\"", colour(i)) : fmt::format("fill=\"{}\"", colour(i));
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}/>\n", x, y, radius, look);
}

double legend_y(std::size_t i) {
  return kTop + 10 + 20 * static_cast<double>(i);
}

std::string line_legend(const std::vector<std::string>& names) {
  std::string body;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double y = legend_y(i);
    body += fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                        kLegendLeft - 8, y - 4, kLegendLeft + 14, y - 4, colour(i), dash(i));
    body += text_at(kLegendLeft + 18, y, names[i]);
  }
  return body;
}

std::string dot_legend(const std::vector<std::string>& names) {
  std::string body;
  for (std::size_t i = 0; i < names.size(); ++i) {
    body += dot(kLegendLeft + 6, legend_y(i) - 4, 5, i) + text_at(kLegendLeft + 18, legend_y(i), names[i]);
  }
  return body;
}

std::string share_text(int decade) {
  return decade >= -2 ? fmt::format("{:g} %", 100 * std::pow(10.0, decade))
                      : fmt::format("{:.{}f} %", 100 * std::pow(10.0, decade), -2 - decade);
}

std::string time_text(int decade) {
  const std::array<const char*, 5> units{"ns", "us", "ms", "s", "ks"};
  const int nano = decade + 9;
  const int unit = std::clamp(nano / 3, 0, 4);
  return fmt::format("{:g} {}", std::pow(10.0, nano - 3 * unit), units[static_cast<std::size_t>(unit)]);
}

std::vector<std::string> platforms_of(std::span<const AccuracyPoint> points) {
  std::vector<std::string> names;
  for (const AccuracyPoint& point : points) {
    if (std::find(names.begin(), names.end(), point.platform) == names.end()) {
      names.push_back(point.platform);
    }
  }
  return names;
}

/// The decades that all measured times lie in.
Decades decades_of(std::span<const AccuracyPoint> points) {
  const auto [least, most] =
      std::minmax_element(points.begin(), points.end(),
                          [](const AccuracyPoint& a, const AccuracyPoint& b) { return a.measured < b.measured; });
  const int low = static_cast<int>(std::floor(std::log10(std::max(least->measured, 1e-9))));
  const int high = static_cast<int>(std::ceil(std::log10(std::max(most->measured, 1e-9))));
  return {low, std::max(high, low + 1)};
}

void check_points(std::span<const AccuracyPoint> points) {
  if (points.empty()) {
    throw Error("there is nothing to draw: the accuracy suite has no points");
  }
}

}  // namespace

std::string error_distribution_svg(std::span<const AccuracyPoint> points) {
  check_points(points);
  constexpr Decades kErrors{-5, 1};
  std::string body;
  for (int decade = kErrors.low; decade <= kErrors.high; ++decade) {
    const double x = x_at(kErrors.at(std::pow(10.0, decade)));
    body += line(x, kTop, x, kTop + kPlotHeight, "#ddd") +
            text_at(x, kTop + kPlotHeight + 18, share_text(decade), "middle");
  }
  for (int i = 0; i <= 4; ++i) {
    const double y = y_at(0.25 * i);
    body +=
        line(kLeft, y, kLeft + kPlotWidth, y, "#ddd") + text_at(kLeft - 8, y + 4, fmt::format("{} %", 25 * i), "end");
  }
  const std::vector<std::string> models = models_of(points);
  for (std::size_t m = 0; m < models.size(); ++m) {
    std::vector<double> errors;
    for (const AccuracyPoint& point : points) {
      if (point.predicted.count(models[m]) > 0) {
        errors.push_back(std::abs(point.error(models[m])));
      }
    }
    std::sort(errors.begin(), errors.end());
    std::string path;
    const std::size_t step = std::max<std::size_t>(errors.size() / 400, 1);
    for (std::size_t i = 0; i < errors.size(); i += step) {
      path += fmt::format("{:.1f},{:.1f} ", x_at(kErrors.at(errors[i])),
                          y_at(static_cast<double>(i + 1) / static_cast<double>(errors.size())));
    }
    path += fmt::format("{:.1f},{:.1f}", x_at(kErrors.at(errors.back())), y_at(1));
    body += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", path, colour(m),
                        dash(m));
  }
  body += text_at(x_at(0.5), kTop + kPlotHeight + 40, "relative error of at most", "middle");
  return framed("Share of points by error", body + line_legend(models));
}

std::string scatter_svg(std::span<const AccuracyPoint> points, const std::string& model) {
  check_points(points);
  const Decades times = decades_of(points);
  std::string body;
  for (int decade = times.low; decade <= times.high; ++decade) {
    const double share = times.at(std::pow(10.0, decade));
    body += line(x_at(share), kTop, x_at(share), kTop + kPlotHeight, "#ddd") +
            line(kLeft, y_at(share), kLeft + kPlotWidth, y_at(share), "#ddd") +
            text_at(x_at(share), kTop + kPlotHeight + 18, time_text(decade), "middle") +
            text_at(kLeft - 8, y_at(share) + 4, time_text(decade), "end");
  }
  body += line(x_at(0), y_at(0), x_at(1), y_at(1), "#000");
  const std::vector<std::string> platforms = platforms_of(points);
  body += "<g opacity=\"0.6\">\n";
  // A few thousand dots are as much as an eye can take in.
  const std::size_t step = std::max<std::size_t>(points.size() / 3000, 1);
  for (std::size_t i = 0; i < points.size(); i += step) {
    const AccuracyPoint& point = points[i];
    const auto predicted = point.predicted.find(model);
    if (predicted != point.predicted.end()) {
      const auto at = std::find(platforms.begin(), platforms.end(), point.platform) - platforms.begin();
      body += dot(x_at(times.at(point.measured)), y_at(times.at(predicted->second)), 2, static_cast<std::size_t>(at));
    }
  }
  body += "</g>\n";
  body += text_at(x_at(0.5), kTop + kPlotHeight + 40, "measured; predicted upwards", "middle");
  return framed(fmt::format("Predicted by {} against measured", model), body + dot_legend(platforms));
}

}  // namespace postage
