#include "predict/escalations.hpp"
#include "predict/flows/flow_work.hpp"
#include "predict/hub_stages.hpp"
#include "predict/timeline/representatives.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/prediction.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

/// Messages up to which looking for representative ranks takes longer than following all.
constexpr Index kFewMessages = 256;

/// See flow_work: what comparing all algorithms and segment sizes on 16 ranks affords in a second.
constexpr Index kMostFlowWork = 100'000;

/// Of a pipeline, where the timeline of all segments would take too long: enough for it to settle.
constexpr Index kFollowedSegments = 12;
constexpr Index kMostAbridged = 60'000;

/// Messages of the segments that play_abridged follows.
Index abridged_messages(Schedule schedule) {
  for (Stage& stage : schedule.stages) {
    if (stage.segment_order == SegmentOrder::kPipeline) {
      stage.segments = std::min(stage.segments, kFollowedSegments + 1);
    }
  }
  return traffic_of(schedule).messages;
}

/// Parts of a schedule's evaluation that do not depend on the model.
class Evaluation {
 public:
  Evaluation(const Schedule& schedule, const ChannelMap& channels)
      : schedule_(schedule), channels_(channels), messages_(traffic_of(schedule).messages) {}

  [[nodiscard]] Evaluator choose(const Model& model, Effort effort) {
    const bool flows = model.properties().has_flows;
    if (flows && may_flow(flow_of(model), effort)) {
      return Evaluator::kFlows;
    }
    if (flows && messages_ <= most_portions(effort, channels_.network() != nullptr)) {
      return Evaluator::kPortions;
    }
    const bool plays = !feels_contention(model);
    const bool may_play = plays && messages_ <= most_played_messages(Effort::kThorough);
    const Index most = most_played_messages(effort);
    if (may_play && (messages_ <= most || by_representatives(model, most))) {
      return Evaluator::kTimeline;
    }
    abridges_ = may_play && abridged_messages(schedule_) <= kMostAbridged;
    if (abridges_) {
      return Evaluator::kTimeline;
    }
    hubs_ = plays || flows ? HubStages::of(schedule_, channels_) : std::nullopt;
    if (!hubs_) {
      return Evaluator::kRounds;
    }
    return flows ? Evaluator::kPortions : Evaluator::kTimeline;
  }

  [[nodiscard]] Seconds seconds(Evaluator evaluator, const Model& model) {
    if (hubs_) {
      const auto played = [&](const Schedule& start) { return Evaluation(start, channels_).seconds(evaluator, model); };
      return hubs_->seconds(played) + sum_rounds(hubs_->others, channels_, model).seconds;
    }
    switch (evaluator) {
      case Evaluator::kTimeline:
        return timeline_seconds(model);
      case Evaluator::kFlows:
        return flow_seconds(schedule_, channels_, flow_of(model));
      case Evaluator::kPortions:
        return portion_seconds(schedule_, channels_, flow_of(model));
      case Evaluator::kRounds:
        break;
    }
    return sum_rounds(schedule_, channels_, model).seconds;
  }

 private:
  [[nodiscard]] bool may_flow(const Flow& model, Effort effort) const {
    return messages_ <= most_flows(effort) &&
           (effort == Effort::kThorough || flow_work(schedule_, channels_, model) <= kMostFlowWork);
  }

  static const Flow& flow_of(const Model& model) {
    const Flow* flow = model.target<Flow>();
    if (flow == nullptr) {
      throw UsageError(
          "the evaluators flows and portions follow flows of the model 'flow' only; take timeline or rounds for "
          "others");
    }
    return *flow;
  }

  [[nodiscard]] Seconds timeline_seconds(const Model& model) {
    if (messages_ > kFewMessages) {
      if (const auto seconds = by_representatives(model, std::numeric_limits<Index>::max())) {
        return *seconds;
      }
    }
    if (abridges_) {
      return play_abridged(schedule_, channels_, model, kFollowedSegments);
    }
    return play(schedule_, channels_, model).seconds();
  }

  std::optional<Seconds> by_representatives(const Model& model, Index most_work) {
    if (!tried_) {
      representatives_ = RepresentativeRanks::of(schedule_, channels_);
      tried_ = true;
    }
    return representatives_ ? representatives_->seconds(model, most_work) : std::nullopt;
  }

  const Schedule& schedule_;
  const ChannelMap& channels_;
  Index messages_;
  bool abridges_ = false;  ///< pipelines, where the timeline was chosen, not asked for
  bool tried_ = false;
  std::optional<RepresentativeRanks> representatives_{};
  std::optional<HubStages> hubs_{};  ///< where the evaluator was chosen, not asked for
};

template <typename Evaluate>
Prediction at_all_bounds(const PlatformModel& platform, const Evaluate& evaluate_one) {
  Prediction prediction{evaluate_one(platform.model()), 0, std::numeric_limits<Seconds>::infinity()};
  if (!platform.has_bounds()) {
    return prediction;
  }
  const Seconds value = prediction.seconds;
  prediction.bounds = BoundsOrigin::kParameters;
  prediction.lower = prediction.upper = value;
  if (!platform.is_exact()) {
    // Beyond the measured sizes the curves of an interval's ends may cross that of the value.
    prediction.lower = std::min(value, evaluate_one(platform.at(Bound::kLower)));
    prediction.upper = std::max(value, evaluate_one(platform.at(Bound::kUpper)));
  }
  return prediction;
}

Bytes mean_message(const Schedule& schedule) {
  const Traffic traffic = traffic_of(schedule);
  return traffic.messages == 0 ? 0 : traffic.bytes / traffic.messages;
}

void set_half_width(Prediction& prediction, double width) {
  prediction.lower = prediction.seconds * std::exp(-width);
  prediction.upper = prediction.seconds * std::exp(width);
  prediction.bounds = BoundsOrigin::kHeldOut;
}

void calibrate(Prediction& prediction, const Calibration* calibration, const Schedule& schedule) {
  if (calibration != nullptr) {
    const ErrorClass what = calibration->class_of(name_of(schedule.collective), mean_message(schedule), schedule.ranks);
    set_half_width(prediction, calibration->half_width(what, uncertainty_of(prediction)));
  }
}

/// Of messages: what 95 % of those at sizes that were left out are within, and the ends of the parameters' intervals.
void widen_by_fit(Prediction& prediction, const FitQuality& fit) {
  if (fit.held_out_points > 0 && fit.held_out_percentile95_relative_residual > 0) {
    const double width = std::log1p(fit.held_out_percentile95_relative_residual);
    set_half_width(prediction, std::max(width, std::log1p(uncertainty_of(prediction))));
  }
}

}  // namespace

std::string_view name_of(BoundsOrigin origin) {
  switch (origin) {
    case BoundsOrigin::kParameters:
      return "parameters";
    case BoundsOrigin::kHeldOut:
      return "held-out";
    case BoundsOrigin::kUnbounded:
      break;
  }
  return "none";
}

double uncertainty_of(const Prediction& prediction) {
  if (prediction.bounds != BoundsOrigin::kParameters || !(prediction.seconds > 0) || !(prediction.lower > 0) ||
      !std::isfinite(prediction.upper)) {
    return 0;
  }
  return std::max(prediction.upper / prediction.seconds, prediction.seconds / prediction.lower) - 1;
}

std::string_view name_of(Evaluator evaluator) {
  switch (evaluator) {
    case Evaluator::kTimeline:
      return "timeline";
    case Evaluator::kFlows:
      return "flows";
    case Evaluator::kPortions:
      return "portions";
    case Evaluator::kRounds:
      break;
  }
  return "rounds";
}

Evaluator parse_evaluator(std::string_view name) {
  for (const Evaluator evaluator :
       {Evaluator::kTimeline, Evaluator::kRounds, Evaluator::kFlows, Evaluator::kPortions}) {
    if (name_of(evaluator) == name) {
      return evaluator;
    }
  }
  throw UsageError(unknown_name("evaluator", std::string(name), "auto, timeline, rounds, flows, portions"));
}

Index most_played_messages(Effort effort) {
  return effort == Effort::kQuick ? 10'000 : 4'000'000;
}

Index most_flows(Effort effort) {
  return effort == Effort::kQuick ? 20'000 : 200'000;
}

Index most_portions(Effort effort, bool has_network) {
  return effort == Effort::kThorough ? most_flows(effort) : has_network ? 100'000 : 20'000;
}

Evaluator choose_evaluator(const Schedule& schedule, const ChannelMap& channels, const Model& model, Effort effort) {
  return Evaluation(schedule, channels).choose(model, effort);
}

Seconds evaluate(Evaluator evaluator, const Schedule& schedule, const ChannelMap& channels, const Model& model) {
  return Evaluation(schedule, channels).seconds(evaluator, model);
}

Seconds evaluate(const Schedule& schedule, const ChannelMap& channels, const Model& model, Effort effort) {
  Evaluation evaluation(schedule, channels);
  return evaluation.seconds(evaluation.choose(model, effort), model);
}

Prediction predict(const Schedule& schedule, const PlatformModel& platform, std::optional<Evaluator> evaluator,
                   Effort effort) {
  Evaluation evaluation(schedule, platform.channels());
  const Evaluator chosen = evaluator ? *evaluator : evaluation.choose(platform.model(), effort);
  const auto seconds = [&](const Model& model) { return evaluation.seconds(chosen, model); };
  Prediction prediction = at_all_bounds(platform, seconds);
  prediction.evaluator = chosen;
  calibrate(prediction, platform.calibration(name_of(chosen)), schedule);
  add_escalations(prediction, platform, seconds);
  return prediction;
}

Prediction predict_message(Rank source, Rank target, Bytes bytes, const PlatformModel& platform) {
  const ChannelMap& channels = platform.channels();
  const TransferQuestion question{.source = channels.measured_rank(source),
                                  .target = channels.measured_rank(target),
                                  .channel = channels.channel_of(source, target),
                                  .bytes = bytes};
  Prediction prediction = at_all_bounds(platform, [&](const Model& model) { return cost(model, question).total(); });
  widen_by_fit(prediction, platform.table().fit);
  return prediction;
}

}  // namespace postage
