#include "measure/campaign/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace postage {

void Series::begin_pass(std::size_t pass) {
  passes_.resize(pass + 1);
  processors_.resize(pass + 1);
  links_.resize(pass + 1);
  spent_ = 0;
}

void Series::add(const BatchTimes& times, Seconds spent) {
  std::vector<double>& pass = passes_.back();
  pass.insert(pass.end(), times.values.begin(), times.values.end());
  processors_.back() = std::max(processors_.back(), times.processors);
  links_.back() = std::max(links_.back(), times.link);
  count_ += times.values.size();
  late_ += times.late;
  spent_ += spent;
  cost_ = spent / static_cast<double>(times.values.size() + times.late + 1);  // of real ones the first is dropped
}

void Series::leave_out(const std::vector<std::int32_t>& disturbed) {
  constexpr double kEnoughPasses = 0.25;
  if (has_links()) {
    return;
  }
  std::size_t sampled = 0;
  std::size_t left = 0;
  for (std::size_t pass = 0; pass < passes_.size(); ++pass) {
    const bool is_disturbed = pass < disturbed.size() && disturbed[pass] != 0;
    sampled += passes_[pass].empty() ? 0 : 1;
    left += passes_[pass].empty() || is_disturbed ? 0 : 1;
  }
  if (left == 0 || static_cast<double>(left) < kEnoughPasses * static_cast<double>(sampled)) {
    return;
  }
  for (std::size_t pass = 0; pass < std::min(passes_.size(), disturbed.size()); ++pass) {
    if (disturbed[pass] != 0) {
      count_ -= passes_[pass].size();
      passes_[pass].clear();
    }
  }
}

std::int32_t Series::next_batch(const MeasureSettings& settings, Seconds allowance) const {
  const auto made = static_cast<std::int32_t>(passes_.back().size());
  const std::int32_t least = (settings.least_repetitions + settings.passes - 1) / settings.passes;
  constexpr double kAnyNumber = 1e9;
  const double in_time = cost_ > 0 ? (allowance - spent_) / cost_ - 1 : kAnyNumber;
  const auto affordable = static_cast<std::int32_t>(std::clamp(in_time, 0.0, kAnyNumber));
  if (made < least) {
    return std::max(std::min(least - made, affordable), made == 0 ? 1 : 0);
  }
  // What so few repetitions cannot tell yet, those of the next passes will.
  const bool is_unknown = !std::isfinite(interval(settings).upper);
  if (is_unknown && passes_.size() < static_cast<std::size_t>(settings.passes)) {
    return 0;
  }
  const auto most = most_so_far(settings) - static_cast<std::int32_t>(count_);
  if (most <= 0 || spent_ >= allowance || precise(settings)) {
    return 0;
  }
  return std::clamp(std::min(made, affordable), 1, most);
}

std::int32_t Series::most_so_far(const MeasureSettings& settings) const {
  const auto made = std::min<std::int64_t>(static_cast<std::int64_t>(passes_.size()), settings.passes);
  return static_cast<std::int32_t>((settings.most_repetitions * made + settings.passes - 1) / settings.passes);
}

bool Series::precise(const MeasureSettings& settings) const {
  // Less is a simulator's rounding, of what takes no time: no repetition would tell more.
  constexpr Seconds kRounding = 1e-12;
  const Interval found = interval(settings);
  const bool is_exact = found.upper - found.lower <= kRounding;
  return count_ > 0 && (is_exact || found.relative_half_width(time()) <= settings.precision);
}

Seconds Series::time() const {
  std::vector<double> all;
  for (const std::vector<double>& pass : passes_) {
    all.insert(all.end(), pass.begin(), pass.end());
  }
  return median(all);
}

Seconds Series::mean() const {
  Seconds sum = 0;
  for (const std::vector<double>& pass : passes_) {
    sum = std::accumulate(pass.begin(), pass.end(), sum);
  }
  return sum / static_cast<double>(count());
}

Seconds Series::fastest() const {
  Seconds least = std::numeric_limits<Seconds>::infinity();
  for (const std::vector<double>& pass : passes_) {
    for (const double value : pass) {
      least = std::min(least, value);
    }
  }
  return least;
}

Interval Series::interval(const MeasureSettings& settings) const {
  return median_interval(passes_, settings.confidence);
}

bool Series::has_links() const {
  return std::any_of(links_.begin(), links_.end(), [](double time) { return time > 0; });
}

Measurement Series::values() const {
  Measurement m{.experiment = experiment_, .inner = inner, .late = late_, .passes = passes_};
  if (std::any_of(processors_.begin(), processors_.end(), [](double time) { return time > 0; })) {
    m.processors = processors_;
  }
  if (has_links()) {
    m.links = links_;
  }
  return m;
}

Measurement Series::measurement(const MeasureSettings& settings, Seconds clock_tick) const {
  Measurement m = values();
  m.precise = precise(settings);
  m.summary = summarise(passes_, settings.confidence, resolution_of(m, clock_tick));
  // How often gather escalates, and by how much, is in its single times.
  if (!settings.keep_values && experiment_.kind != ExperimentKind::kGather) {
    m.passes.clear();
    m.processors.clear();
  }
  return m;
}

}  // namespace postage
