#include "report/network/torus_svg.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

constexpr double kStep = 34;
constexpr double kStub = 11;  ///< of a ring's end, where it goes around
constexpr int kLongestRing = 24;
constexpr int kMostGrids = 12;

std::string torus_link(double x1, double y1, double x2, double y2) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#777\" class=\"wire\"/>\n",
                     x1, y1, x2, y2);
}

std::string torus_host(double x, double y, int number) {
  return fmt::format(
      "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"11\" fill=\"#e7f1f8\" class=\"host\" stroke=\"#555\"/>"
      "<text x=\"{0:.1f}\" y=\"{2:.1f}\" font-size=\"9\" text-anchor=\"middle\" fill=\"#222\" "
      "class=\"ink\">{3}</text>\n",
      x, y, y + 3, number);
}

std::string draw_grid(int columns, int rows, double left, double top, int first) {
  std::string links;
  std::string hosts;
  const double right = left + kStep * (columns - 1);
  const double bottom = top + kStep * (rows - 1);
  for (int row = 0; row < rows; ++row) {
    links += torus_link(left - kStub, top + kStep * row, right + kStub, top + kStep * row);
  }
  for (int column = 0; column < columns; ++column) {
    links += rows > 1 ? torus_link(left + kStep * column, top - kStub, left + kStep * column, bottom + kStub) : "";
    for (int row = 0; row < rows; ++row) {
      hosts += torus_host(left + kStep * column, top + kStep * row, first + row * columns + column);
    }
  }
  return links + hosts;
}

}  // namespace

PlacedDrawing draw_torus(const std::vector<int>& lengths, double left, double top) {
  const int columns = lengths.empty() ? 0 : lengths[0];
  const int rows = lengths.size() > 1 ? lengths[1] : 1;
  int grids = 1;
  for (std::size_t i = 2; i < lengths.size() && grids <= kMostGrids; ++i) {
    grids *= lengths[i];
  }
  if (columns < 1 || columns > kLongestRing || rows > kLongestRing || grids > kMostGrids) {
    return {};
  }
  PlacedDrawing drawing;
  const double width = kStep * columns + kStub;
  for (int grid = 0; grid < grids; ++grid) {
    drawing.svg += draw_grid(columns, rows, left + kStub + width * grid, top + kStub, grid * columns * rows);
  }
  drawing.right = left + width * grids;
  drawing.bottom = top + kStub + kStep * rows;
  return drawing;
}

}  // namespace postage
