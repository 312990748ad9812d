#include "predict/flows/flow_engine.hpp"

#include <postage/base/statistics.hpp>
#include <postage/predict/flows/scattered_messages.hpp>

#include <algorithm>

namespace postage {
namespace {

constexpr std::size_t kMostPlays = 45;

}  // namespace

Timeline play_flows(const Schedule& schedule, const ChannelMap& channels, const Flow& model, const FlowChance& chance) {
  const FlowProgram program = flow_program(schedule, channels, model);
  return FlowEngine(program, FlowClasses(program, channels, model), model, chance).run();
}

Timeline play_messages(std::span<const StartedMessage> messages, Rank ranks, const ChannelMap& channels,
                       const Flow& model) {
  const FlowProgram program = flow_program(messages, ranks, channels, model);
  return FlowEngine(program, FlowClasses(program, channels, model), model, {}).run();
}

Timeline play_scattered_messages(std::span<const StartedMessage> messages, Rank ranks, const ChannelMap& channels,
                                 const Flow& model, std::uint64_t seed) {
  const FlowProgram program = flow_program(messages, ranks, channels, model);
  return FlowEngine(program, FlowClasses(program, channels, model), model, {}, even_slowness_of(program, seed)).run();
}

Seconds flow_seconds(const Schedule& schedule, const ChannelMap& channels, const Flow& model) {
  const FlowProgram program = flow_program(schedule, channels, model);
  const FlowClasses classes(program, channels, model);
  const Seconds spread = model.host.start > 0 ? std::min(kStartSpread, 2 * model.host.start) : kStartSpread;
  std::vector<Seconds> times;
  while (times.size() < kMostPlays && !is_median_settled(times, spread)) {
    const FlowChance chance{.spread = spread, .scatters = true, .seed = times.size()};
    times.push_back(FlowEngine(program, classes, model, chance).run().seconds());
  }
  return median(times);
}

}  // namespace postage
