#include "optimize/difference/flat_parameters.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>

namespace postage {
namespace {

/// The group that holds for messages of this size; nullptr where there is none.
template <typename Table>
auto group_at(Table& table, const ParameterScope& scope, Bytes bytes) -> decltype(&table.groups.front()) {
  decltype(&table.groups.front()) found = nullptr;
  for (auto& group : table.groups) {
    if (group.scope == scope && group.from_bytes <= bytes && (!found || group.from_bytes >= found->from_bytes)) {
      found = &group;
    }
  }
  return found;
}

void add_curve(ParameterKey key, const ParameterCurve& curve, FlatParameters& flat) {
  for (const ParameterPoint& point : curve) {
    key.bytes = point.bytes;
    flat[key] = point.estimate;
  }
}

void add_group(const ParameterTable& table, const ParameterGroup& group, Bytes start, FlatParameters& flat) {
  ParameterKey key{.model = table.model, .scope = group.scope, .from_bytes = start};
  for (const auto& [symbol, value] : group.values) {
    key.symbol = symbol;
    flat[key] = value;
  }
  for (const auto& [symbol, curve] : group.curves) {
    key.symbol = symbol;
    add_curve(key, curve, flat);
  }
  for (const auto& [symbol, surface] : group.surfaces) {
    for (const ParameterRow& row : surface) {
      key.symbol = symbol;
      key.at = row.at;
      add_curve(key, row.curve, flat);
    }
    key.at.reset();
  }
}

Estimate* find_point(ParameterCurve& curve, Bytes bytes) {
  const auto found = std::ranges::find(curve, bytes, &ParameterPoint::bytes);
  return found == curve.end() ? nullptr : &found->estimate;
}

}  // namespace

ScopeStarts starts_of(const ParameterTable& table) {
  ScopeStarts starts;
  for (const ParameterGroup& group : table.groups) {
    starts[group.scope].insert(group.from_bytes);
  }
  return starts;
}

FlatParameters flat_parameters(const ParameterTable& table, const ScopeStarts& starts, bool channels_only) {
  FlatParameters flat;
  for (const auto& [scope, sizes] : starts) {
    if (channels_only && scope.channel.empty()) {
      continue;
    }
    for (const Bytes start : sizes) {
      if (const ParameterGroup* group = group_at(table, scope, start)) {
        add_group(table, *group, start, flat);
      }
    }
  }
  return flat;
}

FlatParameters measured_times(const Platform& platform) {
  std::map<ParameterKey, std::vector<Estimate>> all;
  for (const MeasuredPoint& point : platform.points) {
    all[{.model = kMeasuredTimes, .scope = {.channel = point.channel}, .symbol = "one-way time", .bytes = point.bytes}]
        .push_back(point.one_way);
  }
  FlatParameters flat;
  for (const auto& [key, times] : all) {
    std::vector<double> values;
    std::vector<double> lower;
    std::vector<double> upper;
    for (const Estimate& time : times) {
      values.push_back(time.value);
      lower.push_back(time.lower);
      upper.push_back(time.upper);
    }
    flat[key] = {median(values), median(lower), median(upper)};
  }
  return flat;
}

ParameterTable with_value(ParameterTable table, const ParameterKey& key, const Estimate& value) {
  ParameterGroup* group = group_at(table, key.scope, key.from_bytes);
  if (group == nullptr) {
    return table;
  }
  Estimate* place = nullptr;
  if (key.at) {
    for (ParameterRow& row : group->surfaces[key.symbol]) {
      place = row.at == *key.at ? find_point(row.curve, *key.bytes) : place;
    }
  } else if (key.bytes) {
    place = find_point(group->curves[key.symbol], *key.bytes);
  } else if (group->values.contains(key.symbol)) {
    place = &group->values[key.symbol];
  }
  if (place != nullptr) {
    *place = value;
  }
  return table;
}

}  // namespace postage
