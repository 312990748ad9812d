#include "tuning/decide/cover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

/// Choices that are allowed in all cells from `first` to `last`.
std::vector<std::size_t> common_choices(const std::vector<CoveredCell>& cells, std::size_t first, std::size_t last) {
  std::vector<std::size_t> common;
  for (std::size_t choice = 0; choice < cells[first].is_allowed.size(); ++choice) {
    const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = cells.begin() + static_cast<std::ptrdiff_t>(last) + 1;
    if (std::all_of(begin, end, [&](const CoveredCell& cell) { return cell.is_allowed[choice]; })) {
      common.push_back(choice);
    }
  }
  return common;
}

double total_of(const std::vector<CoveredCell>& cells, const CoverRun& run) {
  double sum = 0;
  for (std::size_t i = run.first; i <= run.last; ++i) {
    sum += std::log(cells[i].seconds[run.choice]);
  }
  return sum;
}

}  // namespace

std::vector<CoverRun> cover(const std::vector<CoveredCell>& cells) {
  std::vector<CoverRun> runs;
  for (std::size_t first = 0; first < cells.size();) {
    std::size_t last = first;
    while (last + 1 < cells.size() && !common_choices(cells, first, last + 1).empty()) {
      ++last;
    }
    CoverRun best{first, last, 0};
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t choice : common_choices(cells, first, last)) {
      const CoverRun run{first, last, choice};
      if (const double total = total_of(cells, run); total < least) {
        least = total;
        best = run;
      }
    }
    runs.push_back(best);
    first = last + 1;
  }
  return runs;
}

void allow_within(CoveredCell& cell, const std::vector<std::size_t>& candidates, double loss) {
  Seconds best = std::numeric_limits<double>::infinity();
  for (const std::size_t choice : candidates) {
    best = std::min(best, cell.seconds[choice]);
  }
  cell.is_allowed.assign(cell.seconds.size(), false);
  for (const std::size_t choice : candidates) {
    cell.is_allowed[choice] = cell.seconds[choice] <= (1 + loss) * best;
  }
}

}  // namespace postage
