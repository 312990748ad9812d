#include "estimate/flow/short_lines.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

constexpr std::size_t kFewPoints = 4;
/// Lines that miss a point by more than this share of its time do not meet it.
constexpr double kMiss = 0.002;
/// A neighbour's line meets it that misses it by no more than this, and by a tenth of what its own line does.
constexpr double kMet = 0.005;
constexpr double kShareOfMiss = 0.1;

using Points = std::span<const CurvePoint>;

double miss_of(const LinePiece& line, const CurvePoint& point) {
  return std::abs(line.seconds_at(point.bytes) / point.seconds - 1);
}

Points points_of(Points points, const std::vector<LinePiece>& lines, std::size_t line) {
  const auto from = [&](std::size_t i) {
    return i == 0 ? points.begin()
                  : std::lower_bound(points.begin(), points.end(), lines[i].from_bytes,
                                     [](const CurvePoint& point, Bytes bytes) { return point.bytes < bytes; });
  };
  return {from(line), line + 1 < lines.size() ? from(line + 1) : points.end()};
}

/// Through points that repeat exactly: two are enough.
LinePiece line_through(Points points) {
  LinePiece line = fit_line(points);
  if (points.size() < kPointsPerPiece) {
    line.intercept = Estimate::exactly(line.intercept.value);
    line.slope = Estimate::exactly(line.slope.value);
  }
  return line;
}

void mend(Points points, std::vector<LinePiece>& lines, std::size_t i) {
  const Points own = points_of(points, lines, i);
  const auto is_missed = [&](const CurvePoint& point) { return miss_of(lines[i], point) > kMiss; };
  if (own.size() > kFewPoints || std::none_of(own.begin(), own.end(), is_missed)) {
    return;
  }
  const auto is_met = [&](const LinePiece& neighbour, const CurvePoint& point) {
    return miss_of(neighbour, point) <= std::min(kMet, kShareOfMiss * miss_of(lines[i], point));
  };
  std::size_t first = 0;
  while (i > 0 && first < own.size() && is_met(lines[i - 1], own[first])) {
    ++first;
  }
  std::size_t end = own.size();
  while (i + 1 < lines.size() && end > first && is_met(lines[i + 1], own[end - 1])) {
    --end;
  }
  if (end - first < 2 || end - first == own.size()) {
    return;
  }
  if (end < own.size()) {
    lines[i + 1].from_bytes = own[end].bytes;
  }
  const Bytes from = first > 0 ? own[first].bytes : lines[i].from_bytes;
  lines[i] = line_through(own.subspan(first, end - first));
  lines[i].from_bytes = from;
}

}  // namespace

void mend_short_lines(Points points, std::vector<LinePiece>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    mend(points, lines, i);
  }
}

}  // namespace postage
