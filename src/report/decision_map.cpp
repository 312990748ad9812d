#include <postage/report/decision_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace postage {
namespace {

constexpr int kLeft = 190;
constexpr int kTop = 64;
constexpr int kCellWidth = 44;
constexpr int kCellHeight = 20;
constexpr int kLeastWidth = 720;  ///< for the title

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

/// Sizes at which nearly all numbers of ranks of some collective were measured. Those beside the ends of rules,
/// thousands of a large cluster, have no column.
std::vector<Bytes> columns_of(const std::vector<DecisionCell>& cells) {
  constexpr double kNearlyAll = 0.9;
  std::map<Collective, std::set<MapRow>> rows;
  std::map<std::pair<Collective, Bytes>, std::size_t> counts;
  for (const DecisionCell& cell : cells) {
    rows[cell.collective].emplace(cell.collective, cell.nodes, cell.ranks);
    ++counts[{cell.collective, cell.bytes}];
  }
  std::set<Bytes> sizes;
  for (const auto& [place, count] : counts) {
    if (static_cast<double>(count) >= kNearlyAll * static_cast<double>(rows.at(place.first).size())) {
      sizes.insert(place.second);
    }
  }
  return {sizes.begin(), sizes.end()};
}

std::string draw_rectangle(int x, int y, int columns, const std::string& fill) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", x, y, columns * kCellWidth,
                     kCellHeight, fill);
}

constexpr const char* kHatched = "url(#unmeasured)";

/// Hatched where it is a prediction.
std::string draw_cell(const DecisionCell& cell, int x, int y) {
  const double share = saved(cell);
  const std::string number = share > 0
                                 ? fmt::format("<text x=\"{}\" y=\"{}\"{}>{:.0f}</text>", x + kCellWidth / 2,
                                               y + kCellHeight - 6, share > 0.4 ? " class=\"light\"" : "", 100 * share)
                                 : "";
  return fmt::format("<g><title>{}</title>{}{}{}</g>\n", tell(cell), draw_rectangle(x, y, 1, colour_of(share)),
                     cell.measured ? "" : draw_rectangle(x, y, 1, kHatched), number);
}

/// One row; neighbouring cells that keep the default are one white rectangle, and those that nothing is known of one
/// hatched one.
std::string draw_row(const std::vector<const DecisionCell*>& cells, int y) {
  const auto is_plain = [](const DecisionCell* cell) {
    return cell == nullptr || (cell->measured && saved(*cell) <= 0);
  };
  std::string svg;
  for (std::size_t first = 0; first < cells.size();) {
    const int x = kLeft + kCellWidth * static_cast<int>(first);
    std::size_t end = first + 1;
    if (is_plain(cells[first])) {
      const auto is_alike = [&](const DecisionCell* cell) {
        return is_plain(cell) && (cell == nullptr) == (cells[first] == nullptr);
      };
      end = static_cast<std::size_t>(
          std::find_if_not(cells.begin() + static_cast<std::ptrdiff_t>(end), cells.end(), is_alike) - cells.begin());
      svg += draw_rectangle(x, y, static_cast<int>(end - first), cells[first] == nullptr ? kHatched : "#fff") + "\n";
    } else {
      svg += draw_cell(*cells[first], x, y);
    }
    first = end;
  }
  return svg;
}

}  // namespace

std::string draw_decisions(const DecisionTable& table) {
  const std::vector<Bytes> sizes = columns_of(table.cells);
  std::map<MapRow, std::vector<const DecisionCell*>> rows;
  for (const DecisionCell& cell : table.cells) {
    std::vector<const DecisionCell*>& row = rows[MapRow(cell.collective, cell.nodes, cell.ranks)];
    row.resize(sizes.size());
    const auto column = std::lower_bound(sizes.begin(), sizes.end(), cell.bytes);
    if (column != sizes.end() && *column == cell.bytes) {
      row[static_cast<std::size_t>(column - sizes.begin())] = &cell;
    }
  }
  const int width = std::max(kLeastWidth, kLeft + kCellWidth * static_cast<int>(sizes.size()) + 16);
  const int height = kTop + kCellHeight * static_cast<int>(rows.size()) + 16;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "<defs><pattern id=\"unmeasured\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" stroke=\"#b4bcc4\" stroke-width=\"1.5\"/></pattern></defs>\n"
      "<style>text {{ font: 12px sans-serif; fill: #1b1f24 }} rect {{ stroke: #d0d7de }} "
      "g text {{ text-anchor: middle }} .light {{ fill: #fff }} .size {{ text-anchor: middle; font-size: 10px "
      "}}</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" style=\"fill: #fff; stroke: none\"/>\n"
      "<text x=\"16\" y=\"24\" style=\"font-size: 15px\">Per cent of the default's time saved: {2} {3} on {4}; "
      "white: the default; hatched: not measured</text>\n",
      width, height, name_of(table.target()), format_version(table.version()), escaped(table.platform));
  for (std::size_t column = 0; column < sizes.size(); ++column) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" class=\"size\">{}</text>\n",
                       kLeft + kCellWidth * static_cast<int>(column) + kCellWidth / 2, kTop - 8,
                       format_bytes(sizes[column]));
  }
  int y = kTop;
  for (const auto& [row, cells] : rows) {
    svg += fmt::format("<text x=\"16\" y=\"{}\">{}, {} ranks</text>\n", y + kCellHeight - 6,
                       name_of(std::get<Collective>(row)), std::get<2>(row));
    svg += draw_row(cells, y);
    y += kCellHeight;
  }
  return svg + "</svg>\n";
}

}  // namespace postage
