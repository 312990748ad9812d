#pragma once

#include <postage/predict/flows/flows.hpp>
#include <postage/predict/platform_model.hpp>
#include <postage/predict/rounds/rounds.hpp>
#include <postage/predict/timeline/timeline.hpp>

#include <string_view>

namespace postage {

/// A predicted time and its bounds: those of the parameters' intervals, or 0 and infinity where one of them has none.
struct Prediction {
  Seconds seconds = 0;
  Seconds lower = 0;
  Seconds upper = 0;
};

/// How a schedule and a model become a time: rank by rank (`play`), round by round with contention (`sum_rounds`), or
/// as flows that share what they have in common (`play_flows`, for the model of that name only).
enum class Evaluator { kTimeline, kRounds, kFlows };

/// "timeline", "rounds", "flows" and back; parse_evaluator throws UsageError listing the valid names.
[[nodiscard]] std::string_view name_of(Evaluator evaluator);
[[nodiscard]] Evaluator parse_evaluator(std::string_view name);

/// Messages above which following each of them takes longer than anyone wants to wait for.
inline constexpr Index kMostPlayedMessages = 4'000'000;
/// The same where they share what they flow through.
inline constexpr Index kMostFlows = 200'000;

/// Flows for the flow model and at most kMostFlows messages; the timeline for a model that is blind to contention and
/// at most kMostPlayedMessages; else rounds.
[[nodiscard]] Evaluator choose_evaluator(const Schedule& schedule, const Model& model);

/// Seconds of a schedule. Throws UsageError for flows of another model.
[[nodiscard]] Seconds evaluate(Evaluator evaluator, const Schedule& schedule, const ChannelMap& channels,
                               const Model& model);

/// Evaluates with the parameters at their values and at both ends of their intervals.
[[nodiscard]] Prediction predict(const Schedule& schedule, const PlatformModel& platform, Evaluator evaluator);
/// With the evaluator that suits the schedule and the model.
[[nodiscard]] Prediction predict(const Schedule& schedule, const PlatformModel& platform);

/// One message of `bytes` between two ranks of the mapping, its pieces `stride` bytes apart, or contiguous.
[[nodiscard]] Prediction predict_message(Rank source, Rank target, Bytes bytes, const PlatformModel& platform,
                                         Bytes stride = 0);

}  // namespace postage
