#include <postage/base/error.hpp>
#include <postage/predict/prediction.hpp>

#include <algorithm>
#include <limits>

namespace postage {
namespace {

template <typename Evaluate>
Prediction at_all_bounds(const PlatformModel& platform, const Evaluate& evaluate_one) {
  const Seconds value = evaluate_one(platform.model());
  if (!platform.has_bounds()) {
    return {value, 0, std::numeric_limits<Seconds>::infinity()};
  }
  // Beyond the measured sizes the curves of an interval's ends may cross that of the value.
  return {value, std::min(value, evaluate_one(platform.at(Bound::kLower))),
          std::max(value, evaluate_one(platform.at(Bound::kUpper)))};
}

}  // namespace

std::string_view name_of(Evaluator evaluator) {
  switch (evaluator) {
    case Evaluator::kTimeline:
      return "timeline";
    case Evaluator::kFlows:
      return "flows";
    case Evaluator::kRounds:
      break;
  }
  return "rounds";
}

Evaluator parse_evaluator(std::string_view name) {
  for (const Evaluator evaluator : {Evaluator::kTimeline, Evaluator::kRounds, Evaluator::kFlows}) {
    if (name_of(evaluator) == name) {
      return evaluator;
    }
  }
  throw UsageError(unknown_name("evaluator", std::string(name), "timeline, rounds, flows"));
}

Evaluator choose_evaluator(const Schedule& schedule, const Model& model) {
  if (model.properties().has_flows && traffic_of(schedule).messages <= kMostFlows) {
    return Evaluator::kFlows;
  }
  const bool plays = !feels_contention(model) && traffic_of(schedule).messages <= kMostPlayedMessages;
  return plays ? Evaluator::kTimeline : Evaluator::kRounds;
}

Seconds evaluate(Evaluator evaluator, const Schedule& schedule, const ChannelMap& channels, const Model& model) {
  if (evaluator != Evaluator::kFlows) {
    return evaluator == Evaluator::kTimeline ? play(schedule, channels, model).seconds()
                                             : sum_rounds(schedule, channels, model).seconds;
  }
  const Flow* flow = model.target<Flow>();
  if (flow == nullptr) {
    throw UsageError("the flows evaluator follows flows of the model 'flow' only; take timeline or rounds for others");
  }
  return flow_seconds(schedule, channels, *flow);
}

Prediction predict(const Schedule& schedule, const PlatformModel& platform, Evaluator evaluator) {
  return at_all_bounds(platform,
                       [&](const Model& model) { return evaluate(evaluator, schedule, platform.channels(), model); });
}

Prediction predict(const Schedule& schedule, const PlatformModel& platform) {
  return predict(schedule, platform, choose_evaluator(schedule, platform.model()));
}

Prediction predict_message(Rank source, Rank target, Bytes bytes, const PlatformModel& platform, Bytes stride) {
  const ChannelMap& channels = platform.channels();
  const TransferQuestion question{.source = channels.measured_rank(source),
                                  .target = channels.measured_rank(target),
                                  .channel = channels.channel_of(source, target),
                                  .bytes = bytes,
                                  .stride = stride};
  return at_all_bounds(platform, [&](const Model& model) { return cost(model, question).total(); });
}

}  // namespace postage
