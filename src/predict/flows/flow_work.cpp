#include "predict/flows/flow_work.hpp"

#include "predict/node_ranks.hpp"

#include <algorithm>

namespace postage {
namespace {

Index messages_of(const Round& round, Index iteration) {
  Index messages = 0;
  for (const Pattern& pattern : round.patterns) {
    messages += pair_count(pattern, iteration);
  }
  return messages;
}

/// Of the first, the middle and the last iteration of each stage.
Index most_in_a_round(const Schedule& schedule) {
  Index most = 1;
  for (const Stage& stage : schedule.stages) {
    for (const Round& round : stage.rounds) {
      for (const Index iteration : {Index{0}, stage.iterations / 2, stage.iterations - 1}) {
        most = std::max(most, messages_of(round, iteration));
      }
    }
  }
  return most;
}

/// Of the messages from rank 0 to its neighbour and to the last rank.
bool has_limits_of_ranks(const Schedule& schedule, Bytes bytes, const ChannelMap& channels, const Flow& model) {
  const auto is_limited = [&](Rank target) {
    const FlowLimits& limits = model.links
                                   .at({.source = channels.measured_rank(0),
                                        .target = channels.measured_rank(target),
                                        .channel = channels.channel_of(0, target),
                                        .bytes = bytes})
                                   .limits;
    return limits.pair > 0 || limits.sender > 0 || limits.receiver > 0;
  };
  return schedule.ranks > 1 && (is_limited(1) || is_limited(schedule.ranks - 1));
}

}  // namespace

Index flow_work(const Schedule& schedule, const ChannelMap& channels, const Flow& model) {
  const Index together = most_in_a_round(schedule);
  const Traffic traffic = traffic_of(schedule);
  if (channels.is_single() || traffic.messages == 0 ||
      has_limits_of_ranks(schedule, traffic.bytes / traffic.messages, channels, model)) {
    return traffic.messages * together;
  }
  const Index nodes = NodeRanks(channels, schedule.ranks).nodes();
  return traffic.messages * std::min(together, nodes * nodes);
}

}  // namespace postage
