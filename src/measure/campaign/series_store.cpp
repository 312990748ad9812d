#include "measure/campaign/series_store.hpp"

#include "measure/experiment_descriptor.hpp"

#include <algorithm>

namespace postage {
namespace {

int order_of(const Experiment& experiment) {
  return find_experiment(experiment.kind).order;
}

}  // namespace

namespace {

/// Of the series with a value, by the order of their kinds.
template <typename Make>
std::vector<Measurement> of_each(const std::map<Experiment, Series>& series, const Make& make) {
  std::vector<Measurement> all;
  for (const auto& [shape, one] : series) {
    if (one.count() > 0) {
      all.push_back(make(one));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Measurement& a, const Measurement& b) {
    return order_of(a.experiment) < order_of(b.experiment);
  });
  return all;
}

}  // namespace

std::vector<Measurement> SeriesStore::measurements(const MeasureSettings& settings, Seconds clock_tick) const {
  return of_each(series, [&](const Series& one) { return one.measurement(settings, clock_tick); });
}

std::vector<Measurement> SeriesStore::values() const {
  return of_each(series, [](const Series& one) { return one.values(); });
}

std::vector<Experiment> SeriesStore::experiments_left_out() const {
  std::vector<Experiment> all;
  for (const Experiment& shape : left_out) {
    all.push_back(with_participants(shape, group));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Experiment& a, const Experiment& b) { return order_of(a) < order_of(b); });
  return all;
}

void SeriesStore::leave_out(const std::vector<std::int32_t>& disturbed) {
  for (auto& [shape, one] : series) {
    one.leave_out(disturbed);
  }
}

bool SeriesStore::needs_more(const MeasureSettings& settings) const {
  return std::any_of(series.begin(), series.end(), [&](const auto& one) {
    const Series& of_shape = one.second;
    return static_cast<int>(of_shape.count()) < settings.most_repetitions && !of_shape.precise(settings);
  });
}

}  // namespace postage
