#pragma once

#include <postage/predict/flows/flows.hpp>
#include <postage/predict/platform_model.hpp>
#include <postage/predict/rounds/rounds.hpp>
#include <postage/predict/timeline/timeline.hpp>

#include <optional>
#include <string_view>

namespace postage {

/// How a schedule and a model become a time: rank by rank (`play`, `play_representatives`), round by round with
/// contention (`sum_rounds`), or, for the model `flow` only, as flows that share what they have in common
/// (`flow_seconds`), or get equal portions of each part of it (`portion_seconds`).
enum class Evaluator { kTimeline, kRounds, kFlows, kPortions };

/// "timeline", "rounds", "flows", "portions" and back; parse_evaluator throws UsageError listing the valid names.
[[nodiscard]] std::string_view name_of(Evaluator evaluator);
[[nodiscard]] Evaluator parse_evaluator(std::string_view name);

/// Where a prediction's bounds come from.
enum class BoundsOrigin {
  kUnbounded,   ///< 0 and infinity
  kParameters,  ///< both ends of the parameters' intervals
  kHeldOut,     ///< the model's errors on the platform's held-out collectives or sizes: a 95 % interval
};

/// "none", "parameters" or "held-out".
[[nodiscard]] std::string_view name_of(BoundsOrigin origin);

/// A predicted time and its bounds: a 95 % interval by the platform's held-out collectives (Calibration), for messages
/// by its held-out sizes; else those of the parameters' intervals, or 0 and infinity where one of them has none.
/// Where a rank receives medium blocks from several others the time now and then escalates (FanLimits): `seconds` is
/// without, with blocks taken as small ones, and the bounds reach from the least time without to the longest with.
struct Prediction {
  Seconds seconds = 0;
  Seconds lower = 0;
  Seconds upper = 0;
  Evaluator evaluator = Evaluator::kTimeline;
  BoundsOrigin bounds = BoundsOrigin::kUnbounded;
  /// Rounds one after the other that may escalate.
  Index escalating_rounds = 0;
  /// The times where each of them escalates by the same level, and the share of gathers that were seen to do so; the
  /// shortest first. Empty where no level is known.
  std::vector<EscalationStep> escalations{};

  [[nodiscard]] bool may_escalate() const { return escalating_rounds > 0; }
};

/// How far the parameters' ends are from the prediction, as a share of it, on either side of its logarithm; 0 where
/// they have no intervals.
[[nodiscard]] double uncertainty_of(const Prediction& prediction);

/// How long a prediction may take: kQuick some milliseconds, kThorough as long as it takes to follow millions of
/// messages.
enum class Effort { kQuick, kThorough };

/// Messages up to which each is followed from rank to rank, whatever the schedule's form.
[[nodiscard]] Index most_played_messages(Effort effort);
/// The same as flows.
[[nodiscard]] Index most_flows(Effort effort);
/// The same as flows that get equal portions; more where messages share links of a network, which rounds leave out.
[[nodiscard]] Index most_portions(Effort effort, bool has_network);

/// - The model flow: flows up to most_flows(effort) messages, with kQuick where no more than 100,000 rates are to
///   be computed (messages times those under way at once that have rates of their own); else portions up to
///   most_portions(effort) messages, and of the first iterations of stages in which one rank after another first sends
///   to the same one; else rounds.
/// - Other models with contention: rounds.
/// - Models without contention: the timeline up to most_played_messages(effort) messages, and up to
///   most_played_messages(kThorough) where it can be had from representative ranks (`play_representatives`) at the cost
///   of most_played_messages(effort), or from some segments of its pipelines (`play_abridged`), or from the first
///   iterations of such stages; else rounds.
/// docs/performance.md says how much the evaluators differ.
[[nodiscard]] Evaluator choose_evaluator(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                                         Effort effort = Effort::kQuick);

/// Seconds of a schedule. Throws UsageError for flows of another model.
[[nodiscard]] Seconds evaluate(Evaluator evaluator, const Schedule& schedule, const ChannelMap& channels,
                               const Model& model);
/// The same with the evaluator that choose_evaluator takes.
[[nodiscard]] Seconds evaluate(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                               Effort effort = Effort::kQuick);

/// Evaluates with the parameters at their values and at both ends of their intervals, with the evaluator given or else
/// the one that choose_evaluator takes for the values; with the model's calibration by that evaluator, if it has one.
[[nodiscard]] Prediction predict(const Schedule& schedule, const PlatformModel& platform,
                                 std::optional<Evaluator> evaluator = std::nullopt, Effort effort = Effort::kQuick);

/// One message of `bytes` between two ranks of the mapping, with the model's strides.
[[nodiscard]] Prediction predict_message(Rank source, Rank target, Bytes bytes, const PlatformModel& platform);

}  // namespace postage
