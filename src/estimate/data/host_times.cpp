#include "estimate/data/host_times.hpp"

#include <algorithm>

namespace postage {
namespace {

/// At each size the median of what the hosts took.
TimesBySize times_of(const SampleSet& samples, ExperimentKind kind) {
  std::map<Bytes, std::vector<Estimate>> by_size;
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == kind && m.experiment.bytes > 0) {
      by_size[m.experiment.bytes].push_back(estimate_of(m));
    }
  }
  TimesBySize times;
  for (const auto& [bytes, hosts] : by_size) {
    times[bytes] = median_estimate(hosts);
  }
  return times;
}

}  // namespace

std::optional<Estimate> combining_time(const SampleSet& samples) {
  std::vector<Estimate> sizes;
  for (const auto& [bytes, time] : times_of(samples, ExperimentKind::kReduction)) {
    sizes.push_back(scaled(time, 1 / static_cast<double>(bytes)));
  }
  if (sizes.empty()) {
    return std::nullopt;
  }
  Estimate gamma = median_estimate(sizes);
  for (const Estimate& size : sizes) {
    gamma.lower = std::min(gamma.lower, size.lower);
    gamma.upper = std::max(gamma.upper, size.upper);
  }
  return gamma;
}

TimesBySize copying_times(const SampleSet& samples) {
  return times_of(samples, ExperimentKind::kCopy);
}

std::optional<Estimate> program_time(const SampleSet& samples) {
  const TimesBySize times = times_of(samples, ExperimentKind::kProgram);
  return times.empty() ? std::nullopt : std::optional(times.begin()->second);
}

ParameterGroup& platform_group(ParameterTable& table) {
  const auto group = std::find_if(table.groups.begin(), table.groups.end(), [](const ParameterGroup& one) {
    return one.scope.channel == kAllChannels && one.from_bytes == 0;
  });
  return group != table.groups.end() ? *group
                                     : table.groups.emplace_back(ParameterGroup{.scope = {.channel = kAllChannels}});
}

void add_to_platform_group(ParameterTable& table, const std::string& symbol, const Estimate& value) {
  platform_group(table).values[symbol] = value;
}

}  // namespace postage
