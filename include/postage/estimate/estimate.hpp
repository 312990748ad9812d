#pragma once

#include <postage/measure/samples.hpp>
#include <postage/platform/platform.hpp>

#include <span>
#include <string>
#include <vector>

namespace postage {

/// A time at a size, as measured.
struct CurvePoint {
  Bytes bytes = 0;
  Seconds seconds = 0;
};

/// seconds = intercept + slope * bytes, for messages of at least `from_bytes`.
struct LinePiece {
  Bytes from_bytes = 0;
  Estimate intercept;
  Estimate slope;
};

/// Least squares of one line in relative error: the sum of ((fit - y)/y)^2 is least, so that small messages count as
/// much as large ones. Neither intercept nor slope is let below zero. 95 % intervals by Student's t from the scatter
/// about the line; infinite for fewer than three points. Requires at least one point, in order of size.
[[nodiscard]] LinePiece fit_line(std::span<const CurvePoint> points);

/// Cuts the curve into lines where protocols change: the cuts that minimise the Bayesian information criterion over all
/// segmentations with at least `kPointsPerPiece` points a piece, found by dynamic programming (J. Bai and P. Perron,
/// Journal of Applied Econometrics 18(1), 2003). Scatter below 1 % counts as 1 %, so that curves are not
/// cut for what repeated measurements differ by. O(n^2) line fits in O(n^3) time, n = number of points.
[[nodiscard]] std::vector<LinePiece> fit_pieces(std::span<const CurvePoint> points);

inline constexpr std::size_t kPointsPerPiece = 3;

/// Names of the models that estimate_platform knows.
[[nodiscard]] std::vector<std::string> estimated_models();

/// Everything that the samples can say: where ranks ran, the channels between them, the measured curves, and the
/// parameters of every model whose experiments are there, by channel and, where pairs on one channel differ, by pair:
///
/// - hockney: the lines of half a roundtrip: alpha = intercept, beta = slope.
/// - loggp: o_s from a short train of sends, o_r from a delayed receive, G = slope of half a roundtrip,
///   g = (T(n) - T(1))/(n-1) - (s-1)G from trains of n messages of s bytes, L = what remains of half a roundtrip.
///   G is the roundtrip's and not the trains' slope, so that single messages are right; g takes up the rest.
///   Where o_s + o_r exceed half a roundtrip, which a receive that finds its message late can cause, both are scaled
///   down to it and L is 0.
///
/// Throws Error where there are no roundtrips.
[[nodiscard]] Platform estimate_platform(const SampleSet& samples, const std::string& name);

}  // namespace postage
