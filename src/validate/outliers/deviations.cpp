#include "validate/outliers/deviations.hpp"

#include "validate/outliers/pair_classes.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace postage {
namespace {

/// Half an interval of 95 % is so many standard deviations.
constexpr double kDeviationsOfInterval = 1.96;

struct PairValues {
  std::vector<double> values;
  std::vector<double> deviations;
};

/// Of messages within hosts or between them, small or large.
struct BandData {
  std::map<Bytes, std::vector<double>> times;
  std::map<std::tuple<int, int, int>, PairValues> pairs;  ///< by class and hosts
};

double relative_deviation(const Estimate& time) {
  const double half = (time.upper - time.lower) / 2;
  return std::isfinite(half) && half > 0 ? half / time.value / kDeviationsOfInterval : 0;
}

SizeBand band_of(const BandData& data) {
  SizeBand band{.smallest = data.times.begin()->first,
                .largest = data.times.rbegin()->first,
                .usual = median(data.times.rbegin()->second)};
  for (const auto& [key, own] : data.pairs) {
    const auto& [pair_class, first, second] = key;
    band.pairs.push_back({{first, second}, pair_class, median(own.values), median(own.deviations)});
  }
  return band;
}

}  // namespace

std::vector<SizeBand> deviations_of(const HostPairTimes& times) {
  const std::vector<int> classes = pair_classes(times);
  std::map<std::pair<int, Bytes>, std::vector<double>> by_class;
  std::map<int, Bytes> smallest;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const HostPairTime& time = times.times[i];
    by_class[{classes[i], time.bytes}].push_back(time.time.value);
    smallest[classes[i]] = std::min(smallest.emplace(classes[i], time.bytes).first->second, time.bytes);
  }
  std::map<std::pair<int, Bytes>, double> middle;
  for (const auto& [key, values] : by_class) {
    middle[key] = median(values);
  }
  std::map<std::pair<bool, bool>, BandData> bands;  // within hosts, large
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const HostPairTime& time = times.times[i];
    const double usual = middle.at({classes[i], time.bytes});
    if (usual <= 0 || time.time.value <= 0) {
      continue;
    }
    const bool is_large = usual > 2 * middle.at({classes[i], smallest.at(classes[i])});
    BandData& band = bands[{time.first == time.second, is_large}];
    band.times[time.bytes].push_back(time.time.value);
    const auto [first, second] = std::minmax(time.first, time.second);
    PairValues& own = band.pairs[{classes[i], first, second}];
    own.values.push_back(std::log(time.time.value / usual));
    own.deviations.push_back(relative_deviation(time.time));
  }
  std::vector<SizeBand> result;
  for (const auto& [key, band] : bands) {
    result.push_back(band_of(band));
  }
  return result;
}

}  // namespace postage
