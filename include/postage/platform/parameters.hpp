#pragma once

#include <postage/base/units.hpp>

#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace postage {

/// An estimated parameter in SI units (seconds, seconds per byte, ...) with its 95 % confidence interval. A parameter
/// given by hand has lower = value = upper.
struct Estimate {
  double value = 0;
  double lower = 0;
  double upper = 0;

  [[nodiscard]] static Estimate exactly(double value) { return {value, value, value}; }
  bool operator==(const Estimate&) const = default;
};

/// A parameter that depends on the message's size, known at some sizes, which ascend.
struct ParameterPoint {
  Bytes bytes = 0;
  Estimate estimate;
  bool operator==(const ParameterPoint&) const = default;
};
using ParameterCurve = std::vector<ParameterPoint>;

/// A parameter that depends on the size and on something else: one curve for each value of that, which ascend.
struct ParameterRow {
  double at = 0;  ///< number of concurrent transfers (tau, n) or stride in bytes, as the model's description says
  ParameterCurve curve;
  bool operator==(const ParameterRow&) const = default;
};
using ParameterSurface = std::vector<ParameterRow>;

/// Stands for every channel that has no group of its own; also holds what belongs to the platform as a whole, like
/// gamma.
inline constexpr const char* kAllChannels = "all";

/// What a group of parameters is for: the transfers over a channel, those between two ranks in either direction, or
/// what one rank's processor does. A pair's group goes before its channel's.
struct ParameterScope {
  std::string channel;  ///< empty for a pair; of a processor the channel that it is for, empty for all
  int first = -1;       ///< ranks of the pair, first < second
  int second = -1;
  int processor = -1;  ///< a rank

  [[nodiscard]] bool is_pair() const { return channel.empty() && processor < 0; }
  [[nodiscard]] bool is_processor() const { return processor >= 0; }
  auto operator<=>(const ParameterScope&) const = default;
};

/// Parameters of one scope for messages of at least `from_bytes` (protocols differ by size), up to the next group. By
/// the paper's symbol: alpha, beta, L, o_s, o_r, g, G, ...; each stands in one of the three maps.
struct ParameterGroup {
  ParameterScope scope;
  Bytes from_bytes = 0;
  std::map<std::string, Estimate> values{};
  std::map<std::string, ParameterCurve> curves{};
  std::map<std::string, ParameterSurface> surfaces{};
  bool operator==(const ParameterGroup&) const = default;
};

/// Every estimate of the group beside its symbol: values, and the points of curves and surfaces. O(estimates).
[[nodiscard]] std::vector<std::pair<std::string, Estimate>> estimates_of(const ParameterGroup& group);

/// How well a model's equation met the points that it was fitted to.
struct FitQuality {
  std::size_t points = 0;
  double median_relative_residual = 0;
  double largest_relative_residual = 0;
  /// Sizes between which there were points: predictions outside are extrapolations.
  Bytes smallest = 0;
  Bytes largest = 0;
  /// The same of points at sizes that were left out of the samples, in parts, while the parameters that predict them
  /// were estimated; no points where that was not done.
  std::size_t held_out_points = 0;
  double held_out_median_relative_residual = 0;
  double held_out_largest_relative_residual = 0;
  double held_out_percentile95_relative_residual = 0;  ///< 0 in files of versions before 3
  bool operator==(const FitQuality&) const = default;
};

/// Pairs of ranks between which messages take the same: the parameters of the first pair hold for the others, too.
/// Those that were measured are named one by one; others by groups of ranks that are alike, since there may be
/// millions.
struct PairClass {
  std::pair<int, int> first;
  std::vector<std::pair<int, int>> others;  ///< each with the lower rank first
  /// All pairs of ranks of these groups over the channel, but those that are named; the lower group first.
  std::string channel{};
  std::vector<std::pair<int, int>> of_groups{};
  bool is_rest = false;  ///< and all pairs over the channel that are of no other class
  bool operator==(const PairClass&) const = default;
};

/// All parameters of one model on one platform. Platform files hold models as such tables, so that a file survives a
/// program that does not know one of its models.
struct ParameterTable {
  std::string model;  ///< hockney, loggp, ...
  std::vector<ParameterGroup> groups;
  FitQuality fit;
  std::vector<PairClass> classes{};
  /// By rank, where classes name groups; empty where none does.
  std::vector<int> group_of_rank{};
  /// By rank: a rank without parameters of its own has those of the first of its kind that has. Empty where all ranks
  /// have their own, or none has.
  std::vector<int> kind_of_rank{};
  bool operator==(const ParameterTable&) const = default;
};

/// True where every estimate of the table has an interval; those from too few repetitions have none. O(estimates).
[[nodiscard]] bool has_intervals(const ParameterTable& table);

/// True where every estimate's interval is its value alone, as parameters given by hand mostly are. O(estimates).
[[nodiscard]] bool has_exact_values(const ParameterTable& table);

}  // namespace postage
