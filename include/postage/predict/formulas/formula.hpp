#pragma once

#include <postage/base/statistics.hpp>
#include <postage/predict/platform_model.hpp>
#include <postage/schedule/algorithms.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace postage {

/// What a formula is evaluated for: what `postage predict` was asked for, and the parameters to take.
struct FormulaJob {
  const PlatformModel& platform;
  Rank ranks = 2;
  Rank root = 0;
  /// Ends of a message.
  Rank source = 0;
  Rank target = 1;
  /// The collective's message as ScheduleRequest::bytes counts it; formulas that count otherwise convert it.
  Bytes bytes = 0;
  /// S, where it was given beside the model's parameters; else 0.
  Bytes segment = 0;
  /// Parameters of the algorithm, by name: a hybrid's x.
  ParameterValues settings{};
};

/// A formula as a paper prints it: one function, and the row that says what it is. The rows stand in
/// src/predict/formulas/papers/, one file a paper.
struct Formula {
  /// As users write it: "rico-gallego-eq3".
  std::string_view name;
  /// "bcast", or "p2p" for a message.
  std::string_view collective;
  /// The algorithm that it describes, by our name; empty for messages.
  std::string_view algorithm;
  /// Names of the models that have its parameters.
  std::vector<std::string_view> models;
  /// Paper, and equation, table or section.
  std::string_view source;
  /// As printed.
  std::string_view equation;
  /// Where it holds, and what its m is where that is not the message's size.
  std::string_view conditions;
  /// Seconds: a single time as an interval without width. Throws UsageError where a condition does not hold, in a
  /// sentence that goes on from "formula NAME ".
  Interval (*evaluate)(const FormulaJob& job) = nullptr;
  /// It is of messages in segments, whose size is --segment or the model's own.
  bool in_segments = false;
  /// The schedule that it describes, where that is no algorithm's.
  Schedule (*schedule)(const FormulaJob& job) = nullptr;
};

/// Every formula, paper by paper.
[[nodiscard]] std::span<const Formula> formulas();

/// Those of a collective, or of p2p, that have the model's parameters; all models' where `model` is empty.
[[nodiscard]] std::vector<const Formula*> formulas_of(std::string_view collective, std::string_view model = {});

/// Throws UsageError listing the names that the collective has.
[[nodiscard]] const Formula& find_formula(std::string_view collective, std::string_view name);

/// Throws UsageError naming the formula where the job's model is another one, or a condition does not hold; Error where
/// the model knows nothing of a channel.
[[nodiscard]] Interval evaluate(const Formula& formula, const FormulaJob& job);

/// The schedule that the formula describes, for the evaluator beside it. Throws UsageError as build_schedule does.
[[nodiscard]] Schedule schedule_of(const Formula& formula, const FormulaJob& job);

}  // namespace postage
