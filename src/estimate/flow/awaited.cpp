#include "estimate/flow/awaited.hpp"

#include <algorithm>
#include <iterator>

namespace postage {
namespace {

/// Messages that take less than a line says by more than this share of an overhead do without it.
constexpr double kMostMissing = 0.5;

Seconds at(const LinePiece& line, Bytes bytes) {
  return line.intercept.value + line.slope.value * static_cast<double>(bytes);
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
    times[from] = Estimate::exactly(at(line, from));
    times[std::max(from, largest)] = Estimate::exactly(at(line, std::max(from, largest)));
  }
  return times;
}

TimesBySize receives_when_awaited(const TimesBySize& receive, const std::vector<CurvePoint>& points, Bytes awaited_from,
                                  Bytes largest) {
  if (receive.empty()) {
    return {};
  }
  const auto first =
      std::find_if(points.begin(), points.end(), [&](const CurvePoint& point) { return point.bytes >= awaited_from; });
  constexpr std::ptrdiff_t kLeastPoints = 2;
  const bool is_known = first != points.end() && first - points.begin() >= kLeastPoints;
  const Seconds overhead = std::prev(receive.end())->second.value;
  const bool has_gone =
      !is_known || at(fit_line({points.begin(), first}), first->bytes) - first->seconds > kMostMissing * overhead;
  return has_gone ? TimesBySize{{awaited_from, Estimate::exactly(0)}} : along_line(receive, awaited_from, largest);
}

}  // namespace postage
