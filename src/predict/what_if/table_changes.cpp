#include "predict/what_if/effects.hpp"

#include <postage/model/model.hpp>
#include <postage/predict/what_if.hpp>

#include <algorithm>

namespace postage {
namespace {

/// What the times of a parameter are multiplied by.
struct TimeFactors {
  double fixed = 1;
  double growing = 1;
};

double time_factor(const std::vector<std::string>& resources, std::span<const ResourceChange> changes) {
  double factor = 1;
  for (const ResourceChange& change : changes) {
    if (std::ranges::find(resources, change.resource) != resources.end()) {
      const std::string_view quantity = std::string_view(change.resource).substr(change.resource.rfind('.') + 1);
      factor *= is_rate(quantity) ? 1 / change.factor : change.factor;
    }
  }
  return factor;
}

void scale(Estimate& estimate, double factor) {
  estimate = {estimate.value * factor, estimate.lower * factor, estimate.upper * factor};
}

/// What of a curve does not grow with the size: where the line through its first two points is at 0.
double fixed_part(const ParameterCurve& curve) {
  const double first = curve.front().estimate.value;
  if (curve.size() < 2) {
    return first;
  }
  const auto from = static_cast<double>(curve[0].bytes);
  const double slope = (curve[1].estimate.value - first) / (static_cast<double>(curve[1].bytes) - from);
  return std::clamp(first - std::max(slope, 0.0) * from, 0.0, std::max(first, 0.0));
}

void scale_curve(ParameterCurve& curve, const TimeFactors& factors) {
  if (curve.empty()) {
    return;
  }
  const double fixed = fixed_part(curve);
  for (ParameterPoint& point : curve) {
    const double now = point.estimate.value;
    const double of_fixed = std::min(fixed, now);
    const double then = of_fixed * factors.fixed + (now - of_fixed) * factors.growing;
    scale(point.estimate, now > 0 ? then / now : factors.fixed);
  }
}

/// A rank whose processor becomes another one gets parameters and a kind of its own; the other ranks of its kind keep
/// theirs.
void separate_from_kind(ParameterTable& table, int rank) {
  const auto at = static_cast<std::size_t>(rank);
  if (at >= table.kind_of_rank.size()) {
    return;
  }
  const int kind = table.kind_of_rank[at];
  std::vector<ParameterGroup> of_first;
  int first = -1;
  for (const ParameterGroup& group : table.groups) {
    const int owner = group.scope.processor;
    if (owner < 0 || table.kind_of_rank[static_cast<std::size_t>(owner)] != kind || (first >= 0 && owner > first)) {
      continue;
    }
    of_first = owner == first ? of_first : std::vector<ParameterGroup>{};
    first = owner;
    of_first.push_back(group);
  }
  const auto has_own = [&](int one) {
    return std::ranges::any_of(table.groups, [&](const auto& group) { return group.scope.processor == one; });
  };
  const auto copy_to = [&](int one) {
    for (ParameterGroup group : of_first) {
      group.scope.processor = one;
      table.groups.push_back(std::move(group));
    }
  };
  if (!has_own(rank)) {
    copy_to(rank);
  }
  table.kind_of_rank[at] = 1 + *std::ranges::max_element(table.kind_of_rank);
  const auto next = std::ranges::find(table.kind_of_rank, kind);
  const auto other = static_cast<int>(next - table.kind_of_rank.begin());
  if (next != table.kind_of_rank.end() && !has_own(other)) {
    copy_to(other);
  }
}

void separate_processors(ParameterTable& table, std::span<const ResourceChange> changes) {
  constexpr std::string_view kBefore = "processor ";
  for (const ResourceChange& change : changes) {
    if (change.resource.starts_with(kBefore)) {
      separate_from_kind(table, std::stoi(change.resource.substr(kBefore.size())));
    }
  }
}

}  // namespace

ParameterTable with_changes(ParameterTable table, const Platform& platform, std::span<const ResourceChange> changes) {
  separate_processors(table, changes);
  const EffectFinder finder(platform, table);
  const auto restore = find_model(table.model).restore;
  for (ParameterGroup& group : table.groups) {
    const ParameterGroup before = group;
    const auto factors_of = [&](const std::string& symbol) {
      const ParameterEffect effect = finder.effect_of(before, symbol);
      const TimeFactors factors{time_factor(effect.fixed, changes), time_factor(effect.growing, changes)};
      return effect.is_rate ? TimeFactors{1 / factors.fixed, 1 / factors.growing} : factors;
    };
    for (auto& [symbol, estimate] : group.values) {
      scale(estimate, factors_of(symbol).fixed);
    }
    for (auto& [symbol, curve] : group.curves) {
      scale_curve(curve, factors_of(symbol));
    }
    for (auto& [symbol, surface] : group.surfaces) {
      for (ParameterRow& row : surface) {
        scale_curve(row.curve, factors_of(symbol));
      }
    }
    if (restore != nullptr && group != before) {
      restore(group);
    }
  }
  return table;
}

Platform with_changes(Platform platform, std::span<const ResourceChange> changes) {
  for (std::size_t i = 0; i < platform.models.size(); ++i) {
    platform.models[i] = with_changes(platform.models[i], platform, changes);
  }
  if (platform.network) {
    platform.network = with_changes(std::move(*platform.network), changes);
  }
  return platform;
}

}  // namespace postage
