#include "estimate/flow/awaited.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace postage {
namespace {

/// Messages that take less than a line says by more than this share of an overhead do without it.
constexpr double kMostMissing = 0.5;

/// Whether messages from `awaited_from` bytes on do without the overhead; nothing where too few sizes were measured.
std::optional<bool> has_gone(const AwaitedCurve& curve, Bytes awaited_from) {
  const auto& points = curve.points;
  const auto first =
      std::find_if(points.begin(), points.end(), [&](const CurvePoint& point) { return point.bytes >= awaited_from; });
  if (first == points.end() || first - points.begin() < 2) {
    return std::nullopt;
  }
  // As far before the last smaller one as the first larger one is after it, so that noise makes no slope.
  const auto last = std::prev(first);
  const auto is_near = [&](const CurvePoint& point) { return last->bytes - point.bytes < first->bytes - last->bytes; };
  const auto far = std::find_if_not(std::make_reverse_iterator(last), points.rend(), is_near);
  const CurvePoint& before = far == points.rend() ? points.front() : *far;
  return fit_line(std::vector{before, *last}).seconds_at(first->bytes) - first->seconds > kMostMissing * curve.receive;
}

}  // namespace

TimesBySize along_line(const TimesBySize& receive, Bytes from, Bytes largest) {
  std::vector<CurvePoint> points;
  for (const auto& [bytes, time] : receive) {
    if (time.value > 0) {
      points.push_back({bytes, time.value});
    }
  }
  TimesBySize times;
  if (!points.empty()) {
    const LinePiece line = fit_line(points);
    times[from] = Estimate::exactly(line.seconds_at(from));
    times[std::max(from, largest)] = Estimate::exactly(line.seconds_at(std::max(from, largest)));
  }
  return times;
}

TimesBySize receives_when_awaited(const TimesBySize& receive, const std::vector<AwaitedCurve>& curves,
                                  Bytes awaited_from, Bytes largest) {
  if (receive.empty()) {
    return {};
  }
  int gone = 0;
  int stay = 0;
  for (const AwaitedCurve& curve : curves) {
    if (const std::optional<bool> has = has_gone(curve, awaited_from)) {
      ++(*has ? gone : stay);
    }
  }
  return gone >= stay ? TimesBySize{{awaited_from, Estimate::exactly(0)}} : along_line(receive, awaited_from, largest);
}

}  // namespace postage
