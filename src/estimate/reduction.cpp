#include "estimate/reduction.hpp"

#include <algorithm>

namespace postage {

std::optional<Estimate> combining_time(const SampleSet& samples) {
  std::map<Bytes, std::vector<Estimate>> by_size;
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == ExperimentKind::kReduction && m.experiment.bytes > 0) {
      by_size[m.experiment.bytes].push_back(estimate_of(m, 1 / static_cast<double>(m.experiment.bytes)));
    }
  }
  if (by_size.empty()) {
    return std::nullopt;
  }
  std::vector<Estimate> sizes;
  for (const auto& [bytes, hosts] : by_size) {
    sizes.push_back(median_estimate(hosts));
  }
  Estimate gamma = median_estimate(sizes);
  for (const Estimate& size : sizes) {
    gamma.lower = std::min(gamma.lower, size.lower);
    gamma.upper = std::max(gamma.upper, size.upper);
  }
  return gamma;
}

void add_to_platform_group(ParameterTable& table, const std::string& symbol, const Estimate& value) {
  auto group = std::find_if(table.groups.begin(), table.groups.end(), [](const ParameterGroup& one) {
    return one.scope.channel == kAllChannels && one.from_bytes == 0;
  });
  if (group == table.groups.end()) {
    table.groups.push_back({.scope = {.channel = kAllChannels}});
    group = std::prev(table.groups.end());
  }
  group->values[symbol] = value;
}

}  // namespace postage
