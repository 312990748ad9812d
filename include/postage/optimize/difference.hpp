#pragma once

#include <postage/platform/platform.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// A parameter that two platform files have both, or a measured time.
struct ParameterKey {
  std::string model;  ///< kMeasuredTimes for what was measured between two ranks over a channel
  ParameterScope scope{};
  Bytes from_bytes = 0;  ///< messages of at least so many bytes have it
  std::string symbol;
  std::optional<double> at{};    ///< of surfaces
  std::optional<Bytes> bytes{};  ///< of curves, surfaces and measured times
  auto operator<=>(const ParameterKey&) const = default;
};

inline constexpr const char* kMeasuredTimes = "measured";

/// A parameter that differs by more than its intervals explain.
struct ParameterChange {
  ParameterKey key;
  Estimate before;
  Estimate after;
  double change = 0;  ///< after / before - 1; infinity where it was 0
  /// Largest share by which a predicted collective changes where only this parameter does; of measured times |change|.
  /// Nothing where it was not worked out, since there are too many of the model.
  std::optional<double> effect{};
  std::string collective{};  ///< of which: "bcast binomial of 1K"
};

/// What a model predicts for a collective with one platform's parameters and with the other's.
struct PredictionChange {
  std::string model;
  std::string collective;
  double before = 0;  ///< seconds
  double after = 0;
};

struct DifferenceSettings {
  double least = 0.02;  ///< changes by less than this share are none
};

struct PlatformDifference {
  /// What makes the files those of different machines, a sentence each: hosts, channels, MPI, models, classes of pairs.
  std::vector<std::string> structure;
  /// What makes no difference by itself: sizes at which lines were cut.
  std::vector<std::string> notes{};
  std::vector<ParameterChange> changes;       ///< those with the largest effects first
  std::vector<PredictionChange> predictions;  ///< of models that both have
  std::size_t compared = 0;                   ///< parameters
  [[nodiscard]] bool is_same() const { return structure.empty() && changes.empty(); }
};

/// Compares two platforms of the same hosts, or else what they say of channels only. A parameter differs where its two
/// values are further apart than the root of the sum of the squares of their intervals' half widths, widened for as
/// many parameters as are compared (Bonferroni), and by more than settings.least; exact values where they differ at all
/// by more than that. Collectives are predicted among the first ranks, 16 at most. O(changes * predictions).
[[nodiscard]] PlatformDifference difference_of(const Platform& before, const Platform& after,
                                               const DifferenceSettings& settings = {});

/// "flow: L of inter-node from 64K", "plogp: g of inter-node at 4K".
[[nodiscard]] std::string describe(const ParameterKey& key);

}  // namespace postage
