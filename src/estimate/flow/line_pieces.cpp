#include "estimate/flow/line_pieces.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/flow/short_lines.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace postage {
namespace {

/// Lines may miss points by this share of their time, and by so many times their interval's half width.
constexpr double kLeastMiss = 0.05;
constexpr double kNoiseOfMiss = 2;

Estimate around(double value, const Estimate& like) {
  return at_least_zero({value, value - (like.value - like.lower), value + (like.upper - like.value)});
}

/// What both processors do for an eager message.
Seconds busy_time(const FlowProtocols& protocols, Bytes bytes) {
  return value_at(protocols.send, bytes) + value_at(protocols.receive, bytes);
}

/// What the line leaves when both overheads are taken off it between its first and its last size.
FlowPiece without_overheads(const LinePiece& line, Bytes first, Bytes last, const FlowProtocols& protocols,
                            bool is_rendezvous) {
  const auto wire = [&](Bytes bytes) {
    const Seconds whole = line.seconds_at(bytes);
    return is_rendezvous ? whole : whole - busy_time(protocols, bytes);
  };
  const double per_byte =
      last > first ? std::max((wire(last) - wire(first)) / static_cast<double>(last - first), 0.0) : 0;
  return {line.from_bytes, around(wire(first) - per_byte * static_cast<double>(first), line.intercept),
          around(per_byte, line.slope)};
}

/// Time on the wire: of an eager message without what both processors do.
Seconds on_the_wire(const CurvePoint& point, const FlowProtocols& protocols, bool is_rendezvous) {
  return is_rendezvous ? point.seconds : std::max(point.seconds - busy_time(protocols, point.bytes), 0.0);
}

/// The line through two points, as far as neither latency nor rate becomes negative.
FlowPiece between(const CurvePoint& a, const CurvePoint& b, const LinePiece& like, const FlowProtocols& protocols,
                  bool is_rendezvous) {
  const Seconds first = on_the_wire(a, protocols, is_rendezvous);
  const Seconds last = on_the_wire(b, protocols, is_rendezvous);
  const auto size_of = [](const CurvePoint& point) { return static_cast<double>(point.bytes); };
  double per_byte = std::max((last - first) / (size_of(b) - size_of(a)), 0.0);
  double latency = first - per_byte * size_of(a);
  if (latency < 0) {
    latency = 0;
    per_byte = (first / size_of(a) + last / size_of(b)) / 2;
  }
  return {a.bytes, around(latency, like.intercept), around(per_byte, like.slope)};
}

/// Points of one line of a scope's curve.
class LinePoints {
 public:
  LinePoints(const ScopeFit& fit, std::span<const CurvePoint> points, bool is_rendezvous)
      : fit_(fit), points_(points), is_rendezvous_(is_rendezvous), times_(one_way_times(*fit.scope)) {}

  /// True where a point in [from, end) lies off the piece by more than its noise.
  [[nodiscard]] bool are_missed(const FlowPiece& piece, Bytes from, Bytes end) const {
    return std::any_of(points_.begin(), points_.end(), [&](const CurvePoint& point) {
      const auto time = times_.find(point.bytes);
      if (point.bytes < from || point.bytes >= end || time == times_.end()) {
        return false;
      }
      return miss_of(piece, point) > tolerance(point);
    });
  }

  /// From each measured size in [from, end) to the next, sizes that are nearly the same being one. Where those are not
  /// alike, a threshold lies between them: no size takes what a line across it would say.
  void append_chain(const LinePiece& line, Bytes from, Bytes end, std::vector<FlowPiece>& pieces) const {
    const std::vector<Knot> knots = joined();
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
      const bool is_after_leap = i > 0 && is_leap(knots[i - 1], knots[i]);
      // Of two leaps that follow one another one is noise: sizes between them have a line, too.
      const bool is_threshold = is_leap(knots[i], knots[i + 1]) && !is_after_leap && (i > 0 || i + 2 < knots.size());
      const Bytes begin = is_after_leap ? knots[i].smallest : knots[i].point.bytes;
      if (knots[i + 1].point.bytes > from && begin < end && !is_threshold) {
        pieces.push_back(between(knots[i].point, knots[i + 1].point, line, fit_.protocols, is_rendezvous_));
        pieces.back().from_bytes = std::max(begin, from);
      }
    }
  }

  /// From the last size before `end`, where the next line begins with a size that was measured, to that size, unless
  /// the piece meets it: where between them one gives way to the other is not known, and a line that goes on beyond its
  /// sizes can miss by any amount. Lines that cross between them meet.
  void append_bridge(const LinePiece& line, Bytes end, std::vector<FlowPiece>& pieces) const {
    const std::vector<Knot> knots = joined();
    const auto next = std::find_if(knots.begin(), knots.end(), [&](const Knot& knot) { return knot.smallest >= end; });
    if (next == knots.begin() || next == knots.end() || next->smallest != end ||
        is_near(std::prev(next)->point, next->point) ||
        miss_of(pieces.back(), next->point) <= kLeastMiss * next->point.seconds) {
      return;
    }
    const CurvePoint& last = std::prev(next)->point;
    pieces.push_back(between(last, next->point, line, fit_.protocols, is_rendezvous_));
    pieces.back().from_bytes = last.bytes + 1;
  }

 private:
  /// Points that count as one.
  struct Knot {
    CurvePoint point;
    Bytes smallest = 0;
  };

  [[nodiscard]] Seconds miss_of(const FlowPiece& piece, const CurvePoint& point) const {
    const double modelled = piece.latency.value + piece.per_byte.value * static_cast<double>(point.bytes);
    return std::abs(modelled - on_the_wire(point, fit_.protocols, is_rendezvous_));
  }

  /// By how much the time of a point may be missed.
  [[nodiscard]] Seconds tolerance(const CurvePoint& point) const {
    const auto time = times_.find(point.bytes);
    const double noise = time == times_.end() ? 0 : (time->second.upper - time->second.lower) / 2;
    return std::max(kLeastMiss * point.seconds, kNoiseOfMiss * noise);
  }

  /// The points, those on either side of a power of two as one in their middle where their times tell no threshold
  /// apart: a line through two sizes of nearly the same time would take noise for a rate.
  [[nodiscard]] std::vector<Knot> joined() const {
    std::vector<Knot> knots;
    for (std::size_t first = 0; first < points_.size();) {
      std::size_t end = first + 1;
      while (end < points_.size() && is_near(points_[first], points_[end]) && is_like(points_[first], points_[end])) {
        ++end;
      }
      knots.push_back({middle_of(points_.subspan(first, end - first)), points_[first].bytes});
      first = end;
    }
    return knots;
  }

  static bool is_near(const CurvePoint& a, const CurvePoint& b) {
    return static_cast<double>(b.bytes) <= kNearSizes * static_cast<double>(a.bytes);
  }

  [[nodiscard]] bool is_leap(const Knot& a, const Knot& b) const {
    return is_near(a.point, {b.smallest, 0}) && !is_like(a.point, b.point);
  }

  [[nodiscard]] bool is_like(const CurvePoint& a, const CurvePoint& b) const {
    return std::abs(b.seconds - a.seconds) <= std::max(tolerance(a), tolerance(b));
  }

  static CurvePoint middle_of(std::span<const CurvePoint> points) {
    CurvePoint middle = points[points.size() / 2];
    std::vector<Seconds> times;
    for (const CurvePoint& point : points) {
      times.push_back(point.seconds);
    }
    middle.seconds = median(times);
    return middle;
  }

  const ScopeFit& fit_;
  std::span<const CurvePoint> points_;
  bool is_rendezvous_;
  TimesBySize times_;
};

/// Lines where messages follow lines; inside a node, where caches bend the curve, from point to point.
void append_pieces(std::span<const CurvePoint> points, const ScopeFit& fit, bool is_rendezvous, Bytes from,
                   std::vector<FlowPiece>& pieces) {
  if (points.empty()) {
    return;
  }
  const std::size_t first_piece = pieces.size();
  const LinePoints of_lines(fit, points, is_rendezvous);
  std::vector<LinePiece> lines = fit_pieces(points, fit.finest_scatter);
  if (fit.finest_scatter <= kLeastScatter) {
    mend_short_lines(points, lines);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_last = i + 1 == lines.size();
    const Bytes begin = std::max(lines[i].from_bytes, points.front().bytes);
    const Bytes end = is_last ? points.back().bytes : lines[i + 1].from_bytes;
    const FlowPiece piece = without_overheads(lines[i], begin, end, fit.protocols, is_rendezvous);
    const std::size_t before = pieces.size();
    if (fit.scope->channel() != kInterNode && of_lines.are_missed(piece, begin, is_last ? end + 1 : end)) {
      of_lines.append_chain(lines[i], begin, end, pieces);
    }
    if (pieces.size() == before) {
      pieces.push_back(piece);
      if (!is_last && fit.scope->channel() != kInterNode && fit.finest_scatter > kLeastScatter) {
        of_lines.append_bridge(lines[i], end, pieces);
      }
    }
  }
  pieces[first_piece].from_bytes = from;
}

}  // namespace

std::vector<FlowPiece> pieces_of(const ScopeFit& fit) {
  constexpr Bytes kNever = std::numeric_limits<Bytes>::max();
  std::vector<FlowPiece> pieces;
  const std::span<const CurvePoint> points = fit.points;
  const Bytes limit = fit.protocols.rendezvous_above.value_or(kNever);
  const auto count_up_to = [&](Bytes most) {
    return static_cast<std::size_t>(
        std::count_if(points.begin(), points.end(), [&](const CurvePoint& p) { return p.bytes <= most; }));
  };
  const std::size_t eager = count_up_to(limit);
  const Bytes awaited = std::min(fit.protocols.awaited_from.value_or(kNever), limit == kNever ? limit : limit + 1);
  const std::size_t unawaited = count_up_to(awaited - 1);
  // What a late receive takes ends where messages are awaited: a line across would take it for bytes.
  append_pieces(points.first(unawaited < 2 ? eager : unawaited), fit, false, 0, pieces);
  if (unawaited >= 2 && eager >= unawaited + 2) {
    append_pieces(points.subspan(unawaited, eager - unawaited), fit, false, awaited, pieces);
  } else if (unawaited >= 2 && awaited <= limit && awaited < kNever) {
    FlowPiece alike = pieces.back();
    const Seconds receive = value_at(fit.protocols.receive, awaited - 1) - value_at(fit.protocols.receive, awaited);
    alike.from_bytes = awaited;
    alike.latency = around(alike.latency.value + receive, alike.latency);
    pieces.push_back(alike);
  }
  const bool from_the_start = eager == 0 || eager == points.size();
  append_pieces(points.subspan(eager), fit, true, from_the_start ? 0 : limit + 1, pieces);
  return pieces;
}

}  // namespace postage
