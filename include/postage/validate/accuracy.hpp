#pragma once

#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/base/units.hpp>
#include <postage/validate/error_statistics.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// Among a point's models: the one that the platform's own held-out collectives chose.
inline constexpr const char* kDefaultModel = "default";

/// How sure a measured time is, where it was measured in several passes.
struct MeasuredNoise {
  Interval interval{};  ///< of the median, at 95 %
  /// How far the median of every other pass is from that of the passes between, over the latter: what predicting a
  /// measurement by repeating it misses by.
  double repeated = 0;
  bool operator==(const MeasuredNoise&) const = default;
};

/// A collective that was timed, and what models say of it.
struct AccuracyPoint {
  std::string platform;
  std::string placement;  ///< block or cyclic
  std::string collective;
  std::string algorithm;
  std::int32_t ranks = 0;
  std::int32_t root = 0;
  Bytes bytes = 0;
  Bytes segment = 0;
  Seconds measured = 0;
  /// Simulated: how far its repetitions lie apart; else how wide the median's interval is. A share of `measured`.
  double scatter = 0;
  std::map<std::string, Seconds> predicted{};  ///< by model
  /// Of predictions, at 95 %, by model: of those models that have one, where they were asked for.
  std::map<std::string, Interval> intervals{};
  std::optional<MeasuredNoise> noise{};  ///< of real platforms

  /// (predicted - measured)/measured. The model must be there.
  [[nodiscard]] double error(const std::string& model) const { return predicted.at(model) / measured - 1; }
  bool operator==(const AccuracyPoint&) const = default;
};

/// How far a model is from what happened, and what choosing by it costs.
struct Accuracy {
  std::string model;
  ErrorStatistics errors;
  /// Cases with a choice: same platform, placement, collective, P and bytes, several algorithms or segments.
  std::size_t choices = 0;
  /// Time of the one that the model predicts to be the fastest over that of the fastest, less 1.
  double median_regret = 0;
  double percentile95_regret = 0;
  double maximum_regret = 0;
  double picked_best = 0;  ///< share of choices without regret
};

/// Of all points that have a prediction of the model; no errors where none has.
[[nodiscard]] Accuracy accuracy_of(std::span<const AccuracyPoint> points, const std::string& model);

/// The models that any of the points has, in the order of their names.
[[nodiscard]] std::vector<std::string> models_of(std::span<const AccuracyPoint> points);

[[nodiscard]] Json to_json(const AccuracyPoint& point);
[[nodiscard]] Json to_json(const Accuracy& accuracy);

}  // namespace postage
