#include <postage/platform/parameters.hpp>

#include <algorithm>
#include <cmath>

namespace postage {

std::vector<std::pair<std::string, Estimate>> estimates_of(const ParameterGroup& group) {
  std::vector<std::pair<std::string, Estimate>> all(group.values.begin(), group.values.end());
  const auto add = [&](const std::string& symbol, const ParameterCurve& curve) {
    for (const ParameterPoint& point : curve) {
      all.emplace_back(symbol, point.estimate);
    }
  };
  for (const auto& [symbol, curve] : group.curves) {
    add(symbol, curve);
  }
  for (const auto& [symbol, surface] : group.surfaces) {
    for (const ParameterRow& row : surface) {
      add(symbol, row.curve);
    }
  }
  return all;
}

bool has_intervals(const ParameterTable& table) {
  return std::ranges::all_of(table.groups, [](const ParameterGroup& group) {
    return std::ranges::all_of(estimates_of(group), [](const auto& one) {
      return std::isfinite(one.second.lower) && std::isfinite(one.second.upper);
    });
  });
}

bool has_exact_values(const ParameterTable& table) {
  return std::ranges::all_of(table.groups, [](const ParameterGroup& group) {
    return std::ranges::all_of(estimates_of(group), [](const auto& one) {
      return one.second.lower == one.second.value && one.second.upper == one.second.value;
    });
  });
}

}  // namespace postage
