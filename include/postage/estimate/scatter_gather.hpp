#pragma once

#include <postage/estimate/estimate.hpp>

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace postage {

/// Where the behaviour of linear scatter and gather changes with the size of a block: S, M_1, M_2 and kappa_1, kappa_2
/// of LMO (A. Lastovetsky and V. Rychkov, International Journal of High Performance Computing Applications, section 5).
/// All limits are the largest size that still behaves as the smaller ones do.

/// Of a limit between two measured sizes: the smaller one, and the sizes between which it lies.
using SizeLimit = Estimate;

/// Scatter has a step at S: one break between two lines.
struct ScatterLimit {
  SizeLimit limit;       ///< S in bytes
  double step = 0;       ///< seconds by which the line above S lies over the one below it there
  Estimate slope_small;  ///< s/B up to S
  Estimate slope_large;  ///< s/B above S
};

/// Nothing where one line describes the series better than two with any break, or where it does not rise at the break.
/// The series is in order of size, times above 0. Throws Error where it is too short.
[[nodiscard]] std::optional<ScatterLimit> scatter_limit_of(std::span<const CurvePoint> series,
                                                           double confidence = 0.95);

/// Slopes in s/B of LMO's gather for n-1 blocks that the root receives, without corrections (equations 9 and 10).
/// kappa is what a measured slope has beyond them. The paper's own formulas for kappa leave out the root's t_0, which
/// its equations for the time have: fitted to those, kappa must not hold what t_0 stands for already. Its formulas as
/// printed are those for a root_per_byte of 0.
struct GatherSlopes {
  double small = 0;  ///< (n-1) t_0 + max(t_i + 1/beta_0i)
  double large = 0;  ///< (n-1) t_0 + sum(t_i + 1/beta_0i)
};

/// `per_byte` holds t_i in s/B and `bandwidth` beta_0i in B/s, of the n-1 others. Throws UsageError where their numbers
/// differ or there are none.
[[nodiscard]] GatherSlopes gather_slopes(double root_per_byte, std::span<const double> per_byte,
                                         std::span<const double> bandwidth);

/// Times of gather at these sizes, which ascend, in the same order. Escalations come only in some repetitions: the time
/// of a size is that of its longest one.
using GatherExperiment = std::function<std::vector<Seconds>(std::span<const Bytes>)>;

struct EscalationSettings {
  Bytes stride = 1024;         ///< between sizes of the first row
  Bytes largest = 128 * 1024;  ///< largest size of the first row
  Bytes finest_stride = 1;
  double escalation = 10;  ///< a time over that of the size before it
  /// Rows after the first hold at most so many sizes, the largest ones: a row of all sizes with a stride of 1 byte
  /// would take as many measurements as M_1 has bytes, and the row before has seen the smaller ones.
  std::size_t most_points = 256;
};

/// The search for M_1: sizes at a stride, the first at which the time escalates, then again up to there with half the
/// stride, until it is the finest. Rows end at the size that escalated, not at the one before it as printed: an
/// escalation that is always there could otherwise never be found more precisely than the first row tells.
struct SmallGather {
  std::optional<SizeLimit> limit;  ///< M_1; nothing where no time escalated
  std::vector<CurvePoint> points;  ///< everything measured, in order of size and, at one size, of measuring
};

/// Throws UsageError for settings that leave nothing to measure, Error where the experiment returns too few times.
[[nodiscard]] SmallGather find_small_gather(const GatherExperiment& experiment, const EscalationSettings& settings);

/// Times that escalated alike.
struct EscalationLevel {
  Seconds lowest = 0;
  Seconds highest = 0;
  std::size_t count = 0;
};

/// What gather does over all sizes.
struct GatherLimits {
  std::optional<SizeLimit> small_limit;      ///< M_1
  std::optional<SizeLimit> large_limit;      ///< M_2
  std::optional<Estimate> small_correction;  ///< kappa_1 in s/B, from the points up to M_1
  std::optional<Estimate> large_correction;  ///< kappa_2 in s/B, from the points above M_2
  /// Times between M_1 and M_2 far above what blocks take elsewhere, in groups more than a quarter apart.
  std::vector<EscalationLevel> levels;
};

/// M_2 is the last break, of level, slope or scatter, of the series, which reaches from small to large sizes; beyond
/// the last time that escalated it may lie as much further as chance can keep escalations away (their share between M_1
/// and M_2 tells). Where nothing breaks, small and large are one. Where times escalate to the end of the series, there
/// are no M_2 and kappa_2. Throws Error where the series is too short.
[[nodiscard]] GatherLimits gather_limits(const SmallGather& small, std::span<const CurvePoint> series,
                                         const GatherSlopes& slopes, double confidence = 0.95);

}  // namespace postage
