#include "estimate/lmo/escalation_levels.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// An escalation multiplies the time by ten: this is half of it on a logarithmic scale.
constexpr double kEscalated = 3;
/// Escalations further apart than this are of different levels.
constexpr double kBetweenLevels = 1.25;
/// Standard errors in half a 95 % interval.
constexpr double kErrorsInHalf = 1.959963984540054;

/// A time that some repetitions took.
struct RepeatedGather {
  Seconds seconds = 0;
  double times = 1;
};

std::vector<RepeatedGather> gathers_of(const Measurement& m) {
  std::vector<RepeatedGather> all;
  for (const std::vector<double>& pass : m.passes) {
    std::ranges::transform(pass, std::back_inserter(all), [](double seconds) { return RepeatedGather{seconds, 1}; });
  }
  const auto count = static_cast<double>(std::max<std::size_t>(m.summary.count, 1));
  for (std::size_t i = 0; m.passes.empty() && i < m.summary.modes.size(); ++i) {
    all.push_back({m.summary.modes[i].centre, count * m.summary.modes[i].share});
  }
  if (all.empty()) {
    all.push_back({m.summary.median, count - 1});
    all.push_back({m.summary.maximum, 1});
  }
  return all;
}

/// Wilson's interval of a share.
Estimate escalated_share(double escalated, double all) {
  const double share = escalated / all;
  const double z2 = kErrorsInHalf * kErrorsInHalf / all;
  const double centre = (share + z2 / 2) / (1 + z2);
  const double half_width = std::sqrt(share * (1 - share) * z2 + z2 * z2 / 4) / (1 + z2);
  return {share, std::min(std::max(centre - half_width, 0.0), share),
          std::max(std::min(centre + half_width, 1.0), share)};
}

/// The median of those that took a level, from the least to the most of them.
Estimate escalated_excess(std::span<const RepeatedGather> level, double times) {
  double below = 0;
  Seconds middle = level.back().seconds;
  for (const RepeatedGather& one : level) {
    below += one.times;
    if (2 * below >= times) {
      middle = one.seconds;
      break;
    }
  }
  return {middle, level.front().seconds, level.back().seconds};
}

double gather_times(std::span<const RepeatedGather> repetitions) {
  double sum = 0;
  for (const RepeatedGather& one : repetitions) {
    sum += one.times;
  }
  return sum;
}

}  // namespace

std::vector<LevelEstimate> escalation_levels(std::span<const Measurement* const> gathers, const CalmGather& calm) {
  std::vector<RepeatedGather> escalated;
  double all = 0;
  for (const Measurement* gather : gathers) {
    const Seconds small = calm.small.at(static_cast<double>(gather->experiment.bytes));
    for (const RepeatedGather& one : gathers_of(*gather)) {
      all += one.times;
      if (one.times > 0 && one.seconds > kEscalated * std::max(small, calm.least_large)) {
        escalated.push_back({one.seconds - small, one.times});
      }
    }
  }
  std::ranges::sort(escalated, {}, &RepeatedGather::seconds);
  std::vector<LevelEstimate> levels;
  for (auto first = escalated.begin(); first != escalated.end();) {
    const auto last = std::adjacent_find(first, escalated.end(), [](const RepeatedGather& a, const RepeatedGather& b) {
      return b.seconds > kBetweenLevels * a.seconds;
    });
    const auto end = last == escalated.end() ? last : std::next(last);
    const std::span<const RepeatedGather> level(first, end);
    levels.push_back({escalated_excess(level, gather_times(level)), escalated_share(gather_times(level), all)});
    first = end;
  }
  return levels;
}

}  // namespace postage
