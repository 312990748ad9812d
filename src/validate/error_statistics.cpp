#include <postage/base/statistics.hpp>
#include <postage/validate/error_statistics.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace postage {

ErrorStatistics error_statistics(std::span<const double> errors) {
  if (errors.empty()) {
    return {};
  }
  std::vector<double> sizes(errors.size());
  std::transform(errors.begin(), errors.end(), sizes.begin(), [](double error) { return std::abs(error); });
  const auto near = std::count_if(sizes.begin(), sizes.end(), [](double size) { return size <= 0.1; });
  return {.count = errors.size(),
          .median = median(sizes),
          .percentile95 = quantile(sizes, 0.95),
          .maximum = *std::max_element(sizes.begin(), sizes.end()),
          .within_tenth = static_cast<double>(near) / static_cast<double>(sizes.size()),
          .bias = median(errors)};
}

}  // namespace postage
