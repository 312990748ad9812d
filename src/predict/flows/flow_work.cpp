#include "predict/flows/flow_work.hpp"

#include "predict/node_ranks.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace postage {
namespace {

/// A rank is in one round at a time, but not in the same as others: in a linear reduction each sends in a round of its
/// own, and all of them at once. So of each source those of its fullest round.
Index most_under_way(const Schedule& schedule) {
  struct Sending {
    RoundPosition round;
    Index messages = 0;
    Index most = 0;
  };
  std::vector<Sending> of_rank(static_cast<std::size_t>(schedule.ranks));
  for_each_transfer(schedule, [&](const RoundPosition& round, const Transfer& transfer) {
    Sending& sending = of_rank[static_cast<std::size_t>(transfer.source)];
    sending.messages = sending.round == round ? sending.messages + 1 : 1;
    sending.round = round;
    sending.most = std::max(sending.most, sending.messages);
  });
  return std::accumulate(of_rank.begin(), of_rank.end(), Index{0},
                         [](Index sum, const Sending& sending) { return sum + sending.most; });
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
  const Index together = most_under_way(schedule);
  const Traffic traffic = traffic_of(schedule);
  if (channels.is_single() || traffic.messages == 0 ||
      has_limits_of_ranks(schedule, traffic.bytes / traffic.messages, channels, model)) {
    return traffic.messages * together;
  }
  const Index nodes = NodeRanks(channels, schedule.ranks).nodes();
  return traffic.messages * std::min(together, nodes * nodes);
}

}  // namespace postage
