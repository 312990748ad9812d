#include "predict/engine.hpp"

namespace postage {
namespace {

template <typename Evaluate>
Prediction at_all_bounds(const ParameterTable& table, std::span<const std::string> channel_names,
                         const Evaluate& evaluate) {
  const auto at = [&](Bound bound) { return evaluate(build_model(table, channel_names, bound)); };
  const Seconds value = at(Bound::kValue);
  // Beyond the measured sizes the curves of an interval's ends may cross that of the value.
  return {value, std::min(value, at(Bound::kLower)), std::max(value, at(Bound::kUpper))};
}

}  // namespace

Seconds Timeline::seconds() const {
  return finish.empty() ? 0 : *std::max_element(finish.begin(), finish.end());
}

Timeline play(const Schedule& schedule, const ChannelMap& channels, const Model& model) {
  NoTracer nobody;
  return TimelineEngine<NoTracer>(schedule, channels, model, nobody).run();
}

Prediction predict(const Schedule& schedule, const ChannelMap& channels, const ParameterTable& table,
                   std::span<const std::string> channel_names) {
  return at_all_bounds(table, channel_names,
                       [&](const Model& model) { return play(schedule, channels, model).seconds(); });
}

Prediction predict_message(Rank source, Rank target, Bytes bytes, const ChannelMap& channels,
                           const ParameterTable& table, std::span<const std::string> channel_names) {
  const TransferQuestion question{.source = channels.measured_rank(source),
                                  .target = channels.measured_rank(target),
                                  .channel = channels.channel_of(source, target),
                                  .bytes = bytes};
  return at_all_bounds(table, channel_names, [&](const Model& model) { return cost(model, question).total(); });
}

}  // namespace postage
