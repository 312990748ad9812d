#include "predict/flows/flow_engine.hpp"

#include <postage/base/statistics.hpp>
#include <postage/predict/flows/scattered_messages.hpp>

#include <algorithm>
#include <limits>

namespace postage {
namespace {

constexpr std::size_t kMostPlays = 45;
/// Of all plays but the first.
constexpr std::size_t kMostMessagesOfPortions = 20'000;

template <typename Sharing>
Seconds settled_seconds(const Schedule& schedule, const ChannelMap& channels, const Flow& model,
                        std::size_t most_messages) {
  const FlowProgram program = flow_program(schedule, channels, model);
  const std::size_t messages = std::max<std::size_t>(program.messages.size(), 1);
  const std::size_t most = std::clamp<std::size_t>(most_messages / messages, 1, kMostPlays);
  const FlowClasses classes(program, channels, model);
  const Seconds spread = model.host.start > 0 ? std::min(kStartSpread, 2 * model.host.start) : kStartSpread;
  std::vector<Seconds> times;
  while (times.size() < most && !is_median_settled(times, spread)) {
    const FlowChance chance{.spread = spread, .scatters = true, .seed = times.size()};
    times.push_back(FlowEngine<Sharing>(program, classes, model, chance, slowness_of(program, chance)).run().seconds());
  }
  return median(times);
}

}  // namespace

Timeline play_flows(const Schedule& schedule, const ChannelMap& channels, const Flow& model, const FlowChance& chance) {
  const FlowProgram program = flow_program(schedule, channels, model);
  const FlowClasses classes(program, channels, model);
  return FlowEngine<FlowShares>(program, classes, model, chance, slowness_of(program, chance)).run();
}

Timeline play_messages(std::span<const StartedMessage> messages, Rank ranks, const ChannelMap& channels,
                       const Flow& model) {
  const FlowProgram program = flow_program(messages, ranks, channels, model);
  return FlowEngine<FlowShares>(program, FlowClasses(program, channels, model), model, {}, {}).run();
}

Timeline play_scattered_messages(std::span<const StartedMessage> messages, Rank ranks, const ChannelMap& channels,
                                 const Flow& model, std::uint64_t seed) {
  const FlowProgram program = flow_program(messages, ranks, channels, model);
  return FlowEngine<FlowShares>(program, FlowClasses(program, channels, model), model, {},
                                even_slowness_of(program, seed))
      .run();
}

Seconds flow_seconds(const Schedule& schedule, const ChannelMap& channels, const Flow& model) {
  return settled_seconds<FlowShares>(schedule, channels, model, std::numeric_limits<std::size_t>::max());
}

Seconds portion_seconds(const Schedule& schedule, const ChannelMap& channels, const Flow& model) {
  return settled_seconds<FlowPortions>(schedule, channels, model, kMostMessagesOfPortions);
}

}  // namespace postage
