#pragma once

#include <postage/base/units.hpp>

#include <optional>
#include <span>
#include <vector>

namespace postage {

/// A time at a size with half the width of its interval.
struct SizedTime {
  Bytes bytes = 0;
  Seconds time = 0;
  Seconds half_width = 0;
};

/// Where further sizes are worth measuring.
enum class Refine {
  kNever,
  /// Where the line through the two sizes before one misses it, as in PLogP (T. Kielmann, H. E. Bal, K. Verstoep, IPDPS
  /// 2000): half way to the size before.
  kWhereExtrapolationMisses,
  /// Where the time grows or falls more than tenfold from one size to the next, as where gather's escalations begin
  /// (A. Lastovetsky, V. Rychkov, IJHPCA 23(2), 2009, section 5) and end: half way, down to one byte.
  kWhereItLeaps,
  /// Where the time differs by more than three tenths, and by more than the intervals allow, between two sizes that are
  /// closer than a tenth, as where an MPI library changes its protocol: half way, down to one byte.
  kWhereItSteps,
};

/// A miss is more than this share of the time, and more than the intervals of the three times allow.
inline constexpr double kMissed = 0.05;
/// No size is put between two that are closer than this share of the larger one, or than 32 bytes.
inline constexpr double kClosest = 0.1;

/// The next size to measure, or nothing where the curve is well enough known. `points` ascend in size. O(points).
[[nodiscard]] std::optional<Bytes> next_size(std::span<const SizedTime> points, Refine rule);

}  // namespace postage
