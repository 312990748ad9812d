#pragma once

#include <postage/platform/platform.hpp>
#include <postage/samples/samples.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
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

  [[nodiscard]] Seconds seconds_at(Bytes bytes) const {
    return intercept.value + slope.value * static_cast<double>(bytes);
  }
};

/// Least squares of one line in relative error: the sum of ((fit - y)/y)^2 is least, so that small messages count as
/// much as large ones. Neither intercept nor slope is let below zero. 95 % intervals by Student's t from the scatter
/// about the line; infinite for fewer than three points. Requires at least one point, in order of size.
[[nodiscard]] LinePiece fit_line(std::span<const CurvePoint> points);

/// Less than what the usual precision of a measurement, 2.5 %, lets through.
inline constexpr double kUsualScatter = 1e-2;

/// Cuts the curve into lines where protocols change: the cuts that minimise the Bayesian information criterion over all
/// segmentations with at least `kPointsPerPiece` points a piece, found by dynamic programming (J. Bai and P. Perron,
/// Journal of Applied Econometrics 18(1), 2003). Scatter below `finest_scatter` counts as that much, so that curves are
/// not cut for what repeated measurements differ by. O(n^2) line fits in O(n^3) time, n = number of points.
[[nodiscard]] std::vector<LinePiece> fit_pieces(std::span<const CurvePoint> points,
                                                double finest_scatter = kUsualScatter);

inline constexpr std::size_t kPointsPerPiece = 3;

/// How the LogP family's o_s and o_r are found.
enum class OverheadMethod {
  /// o_s from a short train of sends, o_r from a receive posted when its message has come (Lastovetsky and Rychkov,
  /// IJHPCA 23(2), 2009, section 2).
  kClassical,
  /// Both from parametrised roundtrips of messages d apart: (PRTT(n, d, s) - PRTT(1, 0, s))/(n - 1) - d (T. Kielmann
  /// et al., IPDPS 2000; Tu et al., 2009). Needs trains with delays.
  kTrains,
};

/// How PLogP's g(m) is found.
enum class GapMethod {
  kDirect,    ///< by saturation at every size
  kIndirect,  ///< RTT(m) - RTT(0) + g(0), where only g(0) is by saturation
};

/// How LogGP's G is found.
enum class PerByteMethod {
  kSlope,  ///< of half a roundtrip over the size, so that single messages are right
  /// By saturation with the largest messages M of the protocol: (T_n(M)/n)/M, as g is from small ones (Lastovetsky and
  /// Rychkov, IJHPCA 23(2), 2009, section 2); of trains, T_n/n is (PRTT(n, 0, M) - PRTT(1, 0, M))/(n - 1). It is the
  /// slowest stage that a message passes, and right for the rate of many.
  kSaturation,
};

/// "classical" or "trains". Throws UsageError listing the valid ones.
[[nodiscard]] OverheadMethod parse_overhead_method(std::string_view name);
/// "direct" or "indirect". Throws UsageError listing the valid ones.
[[nodiscard]] GapMethod parse_gap_method(std::string_view name);

/// "slope" or "saturation". Throws UsageError listing the valid ones.
[[nodiscard]] PerByteMethod parse_per_byte_method(std::string_view name);

struct EstimateSettings {
  OverheadMethod overheads = OverheadMethod::kClassical;
  GapMethod gap = GapMethod::kDirect;
  PerByteMethod gap_per_byte = PerByteMethod::kSlope;
  /// LMO by the paper's equations 7 to 16 as printed, which count the root of a one-to-two experiment 4 C_i and know no
  /// latency of links.
  bool printed_equations = false;
  /// kappa_1 and kappa_2 of LMO by the paper's formulas as printed, which leave the root's t_0 in kappa although its
  /// equations 9 and 10 charge it as well.
  bool printed_kappa = false;
  /// Groups of hosts that the site names, by its switches: then only their bandwidths are to be found.
  std::optional<NetworkStructure> groups{};
  /// Parts of the sizes that are left out in turn to see how well the rest predicts them; fewer than 2 for none.
  int folds = 5;
};

/// Names of the models that estimate_platform knows.
[[nodiscard]] std::vector<std::string> estimated_models();

/// Everything that the samples can say: where ranks ran, the channels between them, the measured curves, and the
/// parameters of every model whose experiments are there, by channel and, where pairs on one channel differ, by pair.
/// docs/estimating.md and docs/estimating-transfers.md say how each parameter is found. O(folds * (pairs * sizes^3 +
/// triplets)).
///
/// A model whose parameters the samples are too few for, so that one is no number or what the model does not allow, is
/// left out; `left_out` then gets a sentence that says which and why. Throws Error where there are no roundtrips.
[[nodiscard]] Platform estimate_platform(const SampleSet& samples, const std::string& name,
                                         const EstimateSettings& settings = {},
                                         std::vector<std::string>* left_out = nullptr);

/// Sizes whose measurement would say more exactly where a channel's protocol changes: between two neighbours of which
/// one keeps its sender (leaves only when it is awaited) and the other does not, and where half a roundtrip jumps from
/// one line to the next. Nothing where neighbours are close enough. Of groups that are active at once, a size of each
/// line along which none was measured and bytes take enough of the time to show what they share.
struct UnresolvedSizes {
  std::vector<Bytes> roundtrips;
  std::vector<Bytes> overheads;
  std::vector<Bytes> groups;
  [[nodiscard]] bool is_empty() const { return roundtrips.empty() && overheads.empty() && groups.empty(); }
};
[[nodiscard]] UnresolvedSizes unresolved_sizes(const SampleSet& samples);

}  // namespace postage
