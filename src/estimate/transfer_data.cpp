#include "estimate/transfer_data.hpp"

#include <postage/model/curve.hpp>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

double on_line(const LinePiece& line, Bytes bytes) {
  return line.intercept.value + line.slope.value * static_cast<double>(bytes);
}

/// By how much of the earlier line the later one lies off it at a size.
double gap_at(const LinePiece& before, const LinePiece& after, Bytes bytes) {
  const double earlier = on_line(before, bytes);
  return earlier > 0 ? on_line(after, bytes) / earlier - 1 : 0;
}

/// True where the later line lies on one side of the earlier one all the way between the two sizes.
bool is_step(const LinePiece& before, const LinePiece& after, Bytes last, Bytes first) {
  const double left = gap_at(before, after, last);
  const double right = gap_at(before, after, first);
  return left * right > 0 && std::min(std::abs(left), std::abs(right)) > kLeastStep;
}

std::vector<CurvePoint> values_of(const TimesBySize& times) {
  std::vector<CurvePoint> points;
  points.reserve(times.size());
  for (const auto& [bytes, time] : times) {
    points.push_back({bytes, time.value});
  }
  return points;
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

Estimate difference(const Estimate& a, const Estimate& b) {
  return {a.value - b.value, a.lower - b.upper, a.upper - b.lower};
}

Estimate sum(const Estimate& a, const Estimate& b) {
  return {a.value + b.value, a.lower + b.lower, a.upper + b.upper};
}

TimesBySize one_way_times(const ScopeData& scope) {
  return median_times(scope, [](const PairData& pair) {
    TimesBySize times;
    for (const auto& [bytes, point] : pair.curve) {
      times[bytes] = point.one_way;
    }
    return times;
  });
}

std::vector<Bytes> steps_of(const TimesBySize& times) {
  const std::vector<CurvePoint> points = values_of(times);
  const std::vector<LinePiece> lines = fit_pieces(points);
  std::vector<Bytes> steps;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto first = times.lower_bound(lines[i].from_bytes);
    if (is_step(lines[i - 1], lines[i], std::prev(first)->first, first->first)) {
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
    if (m.experiment.kind == kind && m.experiment.channel == channel && m.summary.count > 0) {
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
