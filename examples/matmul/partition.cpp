#include "partition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace matmul {
namespace {

std::vector<Part> by_rows(int n, const std::vector<double>& speeds) {
  std::vector<Part> parts;
  int row = 0;
  for (const int rows : shares(n, speeds)) {
    parts.push_back({row, rows, 0, n});
    row += rows;
  }
  return parts;
}

std::vector<Part> by_columns(int n, const std::vector<double>& speeds) {
  const std::size_t count = speeds.size();
  const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  std::vector<std::vector<double>> of_column;
  std::vector<double> together;
  for (std::size_t i = 0; i < columns; ++i) {
    const auto begin = speeds.begin() + static_cast<std::ptrdiff_t>(i * count / columns);
    const auto end = speeds.begin() + static_cast<std::ptrdiff_t>((i + 1) * count / columns);
    of_column.emplace_back(begin, end);
    together.push_back(std::accumulate(begin, end, 0.0));
  }
  const std::vector<int> widths = shares(n, together);
  std::vector<Part> parts;
  int column = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    for (Part part : by_rows(n, of_column[i])) {
      part.column = column;
      part.columns = widths[i];
      part.processor_column = static_cast<int>(i);
      parts.push_back(part);
    }
    column += widths[i];
  }
  return parts;
}

}  // namespace

std::vector<int> shares(int whole, const std::vector<double>& speeds) {
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  std::vector<int> cut;
  std::vector<double> lost;
  for (const double speed : speeds) {
    const double exact = whole * speed / all;
    cut.push_back(static_cast<int>(exact));
    lost.push_back(exact - cut.back());
  }
  for (int left = whole - std::accumulate(cut.begin(), cut.end(), 0); left > 0; --left) {
    const auto most = std::max_element(lost.begin(), lost.end()) - lost.begin();
    ++cut[static_cast<std::size_t>(most)];
    lost[static_cast<std::size_t>(most)] = -1;
  }
  return cut;
}

std::vector<Part> partition(int n, const std::vector<double>& speeds, Split split) {
  return split == Split::kRows ? by_rows(n, speeds) : by_columns(n, speeds);
}

}  // namespace matmul
