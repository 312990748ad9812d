#include <postage/report/decision_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace postage {
namespace {

constexpr int kLeft = 190;
constexpr int kTop = 64;
constexpr int kCellWidth = 44;
constexpr int kCellHeight = 20;

/// A row of the map.
using MapRow = std::tuple<Collective, std::int32_t, Rank>;

double saved(const DecisionCell& cell) {
  return cell.choice.algorithm.empty() ? 0 : 1 - cell.tuned_seconds / cell.default_seconds;
}

/// From white to a dark green.
std::string colour_of(double share) {
  constexpr double kDarkest = 0.75;
  const double t = std::clamp(share / kDarkest, 0.0, 1.0);
  return fmt::format("rgb({:.0f},{:.0f},{:.0f})", 255 - 228 * t, 255 - 137 * t, 255 - 203 * t);
}

std::string tell(const DecisionCell& cell) {
  const std::string place =
      fmt::format("{} of {} among {} ranks", name_of(cell.collective), format_bytes(cell.bytes), cell.ranks);
  const char* const origin = cell.measured ? "" : "; predicted, not measured";
  if (cell.choice.algorithm.empty()) {
    return fmt::format("{}: the default, {}{}", place, format_seconds(cell.default_seconds), origin);
  }
  const std::string segment = cell.choice.segment > 0 ? " in segments of " + format_bytes(cell.choice.segment) : "";
  return fmt::format("{}: {}{}, {} instead of {}{}", place, cell.choice.algorithm, segment,
                     format_seconds(cell.tuned_seconds), format_seconds(cell.default_seconds), origin);
}

/// The name comes from a file.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return safe;
}

template <typename Key>
int place_in(const std::set<Key>& all, const Key& key) {
  return static_cast<int>(std::distance(all.begin(), all.find(key)));
}

/// What was not measured: a prediction, or nothing at all.
std::string draw_hatching(int x, int y) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"url(#unmeasured)\"/>", x, y, kCellWidth,
                     kCellHeight);
}

std::string draw_cell(const DecisionCell& cell, int x, int y) {
  const double share = saved(cell);
  const std::string number =
      share > 0 ? fmt::format("<text x=\"{}\" y=\"{}\" style=\"text-anchor: middle; fill: {}\">{:.0f}</text>",
                              x + kCellWidth / 2, y + kCellHeight - 6, share > 0.4 ? "#fff" : "#1b1f24", 100 * share)
                : "";
  return fmt::format("<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>{}{}</g>\n",
                     tell(cell), x, y, kCellWidth, kCellHeight, colour_of(share),
                     cell.measured ? "" : draw_hatching(x, y), number);
}

}  // namespace

std::string draw_decisions(const DecisionTable& table) {
  std::set<MapRow> rows;
  std::set<Bytes> sizes;
  for (const DecisionCell& cell : table.cells) {
    rows.emplace(cell.collective, cell.nodes, cell.ranks);
    sizes.insert(cell.bytes);
  }
  const int width = kLeft + kCellWidth * static_cast<int>(sizes.size()) + 16;
  const int height = kTop + kCellHeight * static_cast<int>(rows.size()) + 16;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "<defs><pattern id=\"unmeasured\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" stroke=\"#b4bcc4\" stroke-width=\"1.5\"/></pattern></defs>\n"
      "<style>text {{ font: 12px sans-serif; fill: #1b1f24 }} rect {{ stroke: #d0d7de }}</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" style=\"fill: #fff; stroke: none\"/>\n"
      "<text x=\"16\" y=\"24\" style=\"font-size: 15px\">Per cent of the default's time saved: {2} {3} on {4}; "
      "hatched: not measured</text>\n",
      width, height, name_of(table.target()), format_version(table.version()), escaped(table.platform));
  for (const Bytes bytes : sizes) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" style=\"text-anchor: middle; font-size: 10px\">{}</text>\n",
                       kLeft + kCellWidth * place_in(sizes, bytes) + kCellWidth / 2, kTop - 8, format_bytes(bytes));
  }
  for (const MapRow& row : rows) {
    svg += fmt::format("<text x=\"16\" y=\"{}\">{}, {} ranks</text>\n",
                       kTop + kCellHeight * place_in(rows, row) + kCellHeight - 6, name_of(std::get<Collective>(row)),
                       std::get<2>(row));
  }
  for (const MapRow& row : rows) {
    for (const Bytes bytes : sizes) {
      svg +=
          draw_hatching(kLeft + kCellWidth * place_in(sizes, bytes), kTop + kCellHeight * place_in(rows, row)) + "\n";
    }
  }
  for (const DecisionCell& cell : table.cells) {
    const MapRow row(cell.collective, cell.nodes, cell.ranks);
    svg += draw_cell(cell, kLeft + kCellWidth * place_in(sizes, cell.bytes), kTop + kCellHeight * place_in(rows, row));
  }
  return svg + "</svg>\n";
}

}  // namespace postage
