#pragma once

#include <postage/predict/prediction.hpp>
#include <postage/samples/samples.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A collective that was timed, beside its prediction.
struct TimedCollective {
  std::string name;  ///< "allreduce ring, P = 8, 64K"
  Schedule schedule;
  Seconds measured = 0;
  Seconds predicted = 0;
};

/// What kind of thing may explain why predictions miss.
enum class CauseKind {
  kParameter,  ///< of the model, which would have to be larger or smaller
  kStage,      ///< of the schedule, which takes longer or less long than predicted
  kMissing,    ///< a time that the model does not know
};

/// One that may: the single change that, at its best, takes the most of the squared relative errors away.
struct Cause {
  CauseKind kind = CauseKind::kParameter;
  std::string term;  ///< "bandwidth: G, gap per byte"
  /// Parameters and stages: how many times what the model has. Missing: seconds of each unit.
  double factor = 0;
  std::string change;    ///< the factor in words: "1.8 times as large", "12 ns for each byte"
  double explained = 0;  ///< share of the sum of squared relative errors, 0 to 1
  /// The samples do not tell it from the first one: what both change is proportional, or the rest is as small.
  bool like_first = false;
};

/// What a step takes, from collectives that were stopped after it.
struct StepTime {
  std::string name;
  Seconds measured = 0;
  Seconds predicted = 0;
};

/// Why a model's predictions of one algorithm miss.
struct Attribution {
  std::vector<TimedCollective> collectives{};
  std::vector<Cause> causes{};    ///< the best one first
  std::vector<StepTime> steps{};  ///< of one collective that was timed after each of its steps; empty where none was
  std::string steps_of{};         ///< its name
  double squared_error = 0;       ///< mean of the squares of (measured - predicted)/measured
  /// Two samples or more that are not the same collective at one size and P: one alone says how much is missing, not
  /// of what.
  [[nodiscard]] bool can_tell() const { return collectives.size() > 2; }
};

/// The collectives of one algorithm among the samples, whole ones and those that were stopped after some steps, with
/// the model's predictions. `algorithm` may be "all" where the samples have but one. Throws UsageError where there are
/// none, naming those that there are.
[[nodiscard]] Attribution attribute_errors(const SampleSet& samples, Collective collective, std::string_view algorithm,
                                           const PlatformModel& model, std::optional<Evaluator> evaluator);

/// The algorithms of a collective that the samples have, whole and contiguous.
[[nodiscard]] std::vector<std::string> timed_algorithms(const SampleSet& samples, Collective collective);

}  // namespace postage
