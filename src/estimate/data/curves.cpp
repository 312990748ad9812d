#include "estimate/data/curves.hpp"

#include <postage/model/curve.hpp>

#include <algorithm>

namespace postage {
namespace {

using Point = TimesBySize::const_iterator;

/// Where the line from one point through another, `near`, leads at `bytes`, whatever of their intervals they take.
Estimate continued(Point far, Point near, Bytes bytes) {
  const double steps = static_cast<double>(bytes - near->first) / static_cast<double>(near->first - far->first);
  return plus_at_worst(near->second, scaled(minus_at_worst(near->second, far->second), steps));
}

/// True where `later` is above `earlier` by more than their intervals and kLeastStep.
bool is_above(const Estimate& later, const Estimate& earlier) {
  return later.value > earlier.value * (1 + kLeastStep) && later.lower > earlier.upper;
}

/// True where the points from `first` on and those before it lie on one side of each other's line: between them the
/// time steps. Where it only bends, one of them lies on the other's line, or on its other side.
bool is_step(const TimesBySize& times, Point first) {
  const Point last = std::prev(first);
  if (last == times.begin() || std::next(first) == times.end()) {
    return false;
  }
  const Estimate before = continued(std::prev(last), last, first->first);
  const Estimate after = continued(std::next(first), first, last->first);
  return (is_above(first->second, before) && is_above(after, last->second)) ||
         (is_above(before, first->second) && is_above(last->second, after));
}

/// The members of Estimate, so that curves of values, of lower and of upper ends are treated alike.
constexpr double Estimate::*kEnds[] = {&Estimate::value, &Estimate::lower, &Estimate::upper};

CostCurve curve_of_ends(const ParameterCurve& curve, double Estimate::*end) {
  std::vector<CostCurve::Point> points;
  points.reserve(curve.size());
  for (const ParameterPoint& point : curve) {
    points.push_back({static_cast<double>(point.bytes), point.estimate.*end});
  }
  return CostCurve(std::move(points));
}

CostSurface surface_of_ends(const ParameterSurface& surface, double Estimate::*end) {
  std::vector<CostSurface::Row> rows;
  rows.reserve(surface.size());
  for (const ParameterRow& row : surface) {
    rows.push_back({row.at, curve_of_ends(row.curve, end)});
  }
  return CostSurface(std::move(rows));
}

}  // namespace

TimesBySize one_way_times(const ScopeData& scope) {
  std::map<Bytes, std::vector<Estimate>> all;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [bytes, point] : pair->curve) {
      if (has_interval(point.one_way)) {
        all[bytes].push_back(point.one_way);
      }
    }
  }
  TimesBySize times;
  for (const auto& [bytes, estimates] : all) {
    times[bytes] = median_estimate(estimates);
  }
  return times;
}

TimesBySize times_at(const std::vector<CurvePoint>& points) {
  TimesBySize times;
  for (const CurvePoint& point : points) {
    times[point.bytes] = Estimate::exactly(point.seconds);
  }
  return times;
}

std::vector<Bytes> steps_of(const ScopeData& scope) {
  const TimesBySize times = one_way_times(scope);
  std::vector<Bytes> steps;
  for (std::size_t i = 1; i < scope.lines.size(); ++i) {
    const auto first = times.lower_bound(scope.lines[i].from_bytes);
    if (first != times.end() && first != times.begin() && is_step(times, first)) {
      steps.push_back(first->first);
    }
  }
  return steps;
}

ParameterCurve stepped_curve(const TimesBySize& times, const std::vector<Bytes>& steps) {
  ParameterCurve curve;
  for (const auto& [bytes, time] : times) {
    const bool steps_here = std::find(steps.begin(), steps.end(), bytes) != steps.end();
    if (steps_here && bytes - 1 > curve.back().bytes) {
      curve.push_back({bytes - 1, value_at(curve, bytes - 1)});
    }
    curve.push_back({bytes, time});
  }
  return curve;
}

ParameterCurve to_curve(const TimesBySize& times) {
  return stepped_curve(times, {});
}

TimesBySize with_intervals(TimesBySize times) {
  std::erase_if(times, [](const auto& one) { return !has_interval(one.second); });
  return times;
}

double value_at(const TimesBySize& times, Bytes bytes) {
  std::vector<CostCurve::Point> points;
  points.reserve(times.size());
  for (const auto& [size, time] : times) {
    points.push_back({static_cast<double>(size), time.value});
  }
  return CostCurve(std::move(points)).at(static_cast<double>(bytes));
}

Estimate value_at(const ParameterCurve& curve, Bytes bytes) {
  Estimate result;
  for (const auto end : kEnds) {
    result.*end = curve_of_ends(curve, end).at(static_cast<double>(bytes));
  }
  return result;
}

Estimate value_at(const ParameterSurface& surface, Bytes bytes, double second) {
  Estimate result;
  for (const auto end : kEnds) {
    result.*end = surface_of_ends(surface, end).at(static_cast<double>(bytes), second);
  }
  return result;
}

GroupTimes group_times(const SampleSet& samples, ExperimentKind kind, const std::string& channel) {
  std::map<std::pair<std::size_t, Bytes>, std::vector<Estimate>> all;
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == kind && m.experiment.channel == channel && m.summary.count > 0 &&
        has_interval(estimate_of(m))) {
      all[{m.experiment.members.size(), m.experiment.bytes}].push_back(estimate_of(m));
    }
  }
  GroupTimes times;
  for (const auto& [key, estimates] : all) {
    times[key.first][key.second] = median_estimate(estimates);
  }
  return times;
}

}  // namespace postage
