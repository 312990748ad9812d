#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace postage {

/// The cheapest segmentations of a row of points into runs, for each number of runs, by dynamic programming: the best
/// segmentation of a prefix of the row is part of the best one of the whole. O(most * count^2) time, O(most * count)
/// memory. Of equally cheap cuts the leftmost wins.
class Segmentations {
 public:
  /// `cost(first, end)` is the cost of the run of points first..end-1; asked only for runs of at least `least` points.
  template <typename Cost>
  Segmentations(std::size_t count, std::size_t least, std::size_t most, const Cost& cost)
      : count_(count),
        cost_(most + 1, std::vector<double>(count + 1, std::numeric_limits<double>::infinity())),
        begin_(most + 1, std::vector<std::size_t>(count + 1, 0)) {
    cost_[0][0] = 0;
    for (std::size_t runs = 1; runs <= most; ++runs) {
      for (std::size_t end = runs * least; end <= count; ++end) {
        for (std::size_t begin = (runs - 1) * least; begin + least <= end; ++begin) {
          const double before = cost_[runs - 1][begin];
          const double total = before < std::numeric_limits<double>::infinity() ? before + cost(begin, end) : before;
          if (total < cost_[runs][end]) {
            cost_[runs][end] = total;
            begin_[runs][end] = begin;
          }
        }
      }
    }
  }

  /// Infinite where the row does not hold so many runs.
  [[nodiscard]] double cost(std::size_t runs) const { return cost_[runs][count_]; }

  /// The first points of all runs but the first, ascending.
  [[nodiscard]] std::vector<std::size_t> cuts(std::size_t runs) const {
    std::vector<std::size_t> first_points(runs - 1);
    for (std::size_t end = count_; runs > 1; --runs) {
      end = begin_[runs][end];
      first_points[runs - 2] = end;
    }
    return first_points;
  }

 private:
  std::size_t count_;
  std::vector<std::vector<double>> cost_;  ///< [runs][end]
  std::vector<std::vector<std::size_t>> begin_;
};

}  // namespace postage
