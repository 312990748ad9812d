#include "estimate/flow/like_finest.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/regression/two_columns.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Scopes with at least so many times the sizes tell what others do not.
constexpr double kFiner = 2;
/// Lines that miss a time by no more than this share explain it.
constexpr double kExplained = 0.01;
constexpr Eigen::Index kLeastPoints = 4;

/// What both processors do for a message, which its time on the wire is without.
Seconds busy_time(const ScopeFit& fit, Bytes bytes) {
  return fit.is_eager(bytes) ? value_at(fit.protocols.send, bytes) + value_at(fit.protocols.receive, bytes) : 0;
}

/// The largest share by which the scope's lines miss its times.
double largest_miss(const ScopeFit& fit, const std::vector<FlowPiece>& pieces) {
  double largest = 0;
  for (const CurvePoint& point : fit.points) {
    const FlowPiece& piece = piece_at(pieces, point.bytes);
    const double modelled =
        busy_time(fit, point.bytes) + piece.latency.value + piece.per_byte.value * static_cast<double>(point.bytes);
    largest = std::max(largest, std::abs(modelled / point.seconds - 1));
  }
  return largest;
}

/// The finest scope's lines with the latency and the time per byte that fit this scope's times best.
std::vector<FlowPiece> scaled_lines(const ScopeFit& fit, const ScopeFit& finest) {
  const auto count = static_cast<Eigen::Index>(fit.points.size());
  Eigen::MatrixX2d rows(count, 2);
  Eigen::VectorXd right(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const CurvePoint& point = fit.points[static_cast<std::size_t>(i)];
    const FlowPiece& piece = finest.piece_at(point.bytes);
    rows(i, 0) = piece.latency.value / point.seconds;
    rows(i, 1) = piece.per_byte.value * static_cast<double>(point.bytes) / point.seconds;
    right(i) = 1 - busy_time(fit, point.bytes) / point.seconds;
  }
  const Eigen::Vector2d factors = least_squares(rows, right);
  std::vector<FlowPiece> pieces = finest.pieces;
  for (FlowPiece& piece : pieces) {
    piece.latency = scaled(piece.latency, std::max(factors(0), 0.0));
    piece.per_byte = scaled(piece.per_byte, std::max(factors(1), 0.0));
  }
  return pieces;
}

}  // namespace

void take_lines_of_finest(const ChannelFits& fits) {
  const auto finest = std::max_element(fits.begin(), fits.end(), [](const ScopeFit* a, const ScopeFit* b) {
    const auto sizes = [](const ScopeFit* fit) { return fit->scope->scope.is_pair() ? fit->points.size() : 0; };
    return sizes(a) < sizes(b);
  });
  if (finest == fits.end() || !(*finest)->scope->scope.is_pair()) {
    return;
  }
  for (ScopeFit* fit : fits) {
    const bool is_coarse =
        static_cast<double>(fit->points.size()) * kFiner <= static_cast<double>((*finest)->points.size());
    if (!fit->scope->scope.is_pair() || !is_coarse || static_cast<Eigen::Index>(fit->points.size()) < kLeastPoints) {
      continue;
    }
    std::vector<FlowPiece> pieces = scaled_lines(*fit, **finest);
    if (largest_miss(*fit, pieces) <= std::max(kExplained, largest_miss(*fit, fit->pieces))) {
      fit->pieces = std::move(pieces);
    }
  }
}

}  // namespace postage
