#pragma once

#include <postage/platform/parameters.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A collective that the campaign visited and that no parameter was fitted to.
struct HeldOutCollective {
  std::string collective;
  std::string algorithm;
  std::int32_t ranks = 0;  ///< the first so many
  std::int32_t root = 0;
  Bytes bytes = 0;
  Bytes segment = 0;
  /// Mean size of its messages.
  Bytes message = 0;
  Estimate measured;  ///< seconds: median and its interval
  /// One of those that choose the platform's model. The others give the chosen model's predictions their intervals:
  /// errors that a model was chosen for are smaller than those that it makes.
  bool chooses = false;
  bool operator==(const HeldOutCollective&) const = default;
};

/// The evaluator that a prediction takes where none is asked for, which depends on the schedule.
inline constexpr std::string_view kUsualEvaluator = "auto";

/// What one model, by one evaluator, says of every held-out collective.
struct HeldOutPredictions {
  std::string model;
  std::string evaluator;  ///< timeline, rounds, flows; or kUsualEvaluator
  std::vector<Seconds> seconds{};
  /// How far the ends of the parameters' intervals are from that, as shares of it: the larger one of both sides. Empty
  /// where all are 0, as of parameters that are exact or have no interval.
  std::vector<double> uncertainty{};
  bool operator==(const HeldOutPredictions&) const = default;
};

/// How accurate the models are on a platform, as its own campaign found.
struct HeldOut {
  std::vector<HeldOutCollective> collectives{};
  std::vector<HeldOutPredictions> predictions{};
  [[nodiscard]] bool empty() const { return collectives.empty(); }
  bool operator==(const HeldOut&) const = default;
};

/// Those of a model by an evaluator; nullptr where there are none.
[[nodiscard]] const HeldOutPredictions* find_predictions(const HeldOut& held_out, std::string_view model,
                                                         std::string_view evaluator);

/// log(measured/predicted) of each collective, in their order.
[[nodiscard]] std::vector<double> log_errors(const HeldOut& held_out, const HeldOutPredictions& predictions);

}  // namespace postage
