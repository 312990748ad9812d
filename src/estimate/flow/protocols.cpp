#include "estimate/flow/protocols.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/flow/awaited.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace postage {
namespace {

/// A send that takes at least this share of the message's time waits for its end. Where processors move the bytes, it
/// and a receive that comes late take so much of it together: about all of it if each does a part of the work, and
/// about twice as much if one waits for the other. A receive that takes this share of what is left after the sender's
/// overhead waits for its start.
constexpr double kWholeSend = 0.85;
constexpr double kWholeTwice = 1.5;
constexpr double kWholeReceive = 0.9;

/// Sizes, and whether they keep their sender.
using KeptSizes = std::vector<std::pair<Bytes, bool>>;

/// By what the scope's ranks take.
KeptSizes kept_by_ranks(const RankOverheads& overheads, const TimesBySize& one_way, bool processors_move) {
  KeptSizes keeps;
  for (const auto& [bytes, time] : overheads.send) {
    const double whole = value_at(one_way, bytes);
    const auto receive = overheads.receive.find(bytes);
    const bool has_both = processors_move && receive != overheads.receive.end();
    keeps.emplace_back(
        bytes, has_both ? time.value + receive->second.value >= kWholeTwice * whole : time.value >= kWholeSend * whole);
  }
  return keeps;
}

/// By most of the pairs that were measured at a size: pairs take different times, and not all are measured at all
/// sizes.
KeptSizes kept_by_pairs(const ScopeData& scope) {
  std::map<Bytes, std::pair<int, int>> votes;  // that keep, and all
  for (const PairData* pair : scope.pairs) {
    TimesBySize one_way;
    for (const auto& [bytes, point] : pair->curve) {
      one_way[bytes] = point.one_way;
    }
    for (const auto& [rank, sends] : one_way.empty() ? std::map<int, TimesBySize>{} : pair->send_overhead) {
      for (const auto& [bytes, time] : sends) {
        votes[bytes].first += time.value >= kWholeSend * value_at(one_way, bytes) ? 1 : 0;
        ++votes[bytes].second;
      }
    }
  }
  KeptSizes keeps;
  for (const auto& [bytes, count] : votes) {
    keeps.emplace_back(bytes, 2 * count.first > count.second);
  }
  return keeps;
}

/// The largest size that does not keep its sender, and below the smallest -1; nothing where none does. Where noise has
/// single sizes say otherwise, the limit that fewest of them contradict.
std::optional<Bytes> rendezvous_above(const KeptSizes& keeps) {
  std::size_t best = keeps.size();
  auto fewest = std::count_if(keeps.begin(), keeps.end(), [](const auto& size) { return size.second; });
  auto wrong = fewest;
  for (std::size_t eager = keeps.size(); eager-- > 0;) {
    wrong += keeps[eager].second ? -1 : 1;
    if (wrong < fewest) {
      fewest = wrong;
      best = eager;
    }
  }
  return best == keeps.size() ? std::nullopt : std::optional(best == 0 ? -1 : keeps[best - 1].first);
}

}  // namespace

bool is_moved_by_processors(const CampaignData& campaign, const ScopeData& scope) {
  return !campaign.samples.is_virtual && scope.channel() != kInterNode;
}

/// By pairs; where processors move the bytes by both times together.
static KeptSizes kept_sizes(const RankOverheads& overheads, const TimesBySize& one_way, const CampaignData& campaign,
                            const ScopeData& scope) {
  const bool processors_move = is_moved_by_processors(campaign, scope);
  KeptSizes by_pairs = processors_move ? KeptSizes{} : kept_by_pairs(scope);
  return by_pairs.empty() ? kept_by_ranks(overheads, one_way, processors_move) : by_pairs;
}

/// What receives take of messages from these bytes on; pairs do as their channel does.
static void append_awaited(const CampaignData& campaign, const std::vector<CurvePoint>& points, Bytes from,
                           const FlowProtocols* channel, FlowProtocols& protocols) {
  const Bytes largest = protocols.rendezvous_above.value_or(points.empty() ? from : points.back().bytes);
  TimesBySize awaited{{from, Estimate::exactly(0)}};
  if (channel != nullptr && channel->receives_when_awaited) {
    awaited = along_line(protocols.receive, from, largest);
  } else if (channel == nullptr && campaign.samples.is_virtual) {
    awaited = receives_when_awaited(protocols.receive, points, from, largest);
  }
  if (!protocols.receive.empty()) {
    protocols.receives_when_awaited = !awaited.empty() && awaited.begin()->second.value > 0;
    protocols.receive.merge(awaited);
  }
}

FlowProtocols flow_protocols(const CampaignData& campaign, const ScopeData& scope,
                             const std::vector<CurvePoint>& points, const FlowProtocols* channel) {
  const RankOverheads overheads = overheads_of(campaign, scope);
  TimesBySize one_way;
  for (const CurvePoint& point : points) {
    one_way[point.bytes] = Estimate::exactly(point.seconds);
  }
  FlowProtocols protocols{.send = overheads.send,
                          .receive = {},
                          .rendezvous_above = channel != nullptr
                                                  ? channel->rendezvous_above
                                                  : rendezvous_above(kept_sizes(overheads, one_way, campaign, scope)),
                          .awaited_from = std::nullopt,
                          .receives_when_awaited = false};
  const auto is_eager = [&](Bytes bytes) {
    return !protocols.rendezvous_above || bytes <= *protocols.rendezvous_above;
  };
  std::erase_if(protocols.send, [&](const auto& entry) { return !is_eager(entry.first); });
  for (const auto& [bytes, time] : overheads.receive) {
    if (protocols.awaited_from || !is_eager(bytes)) {
      break;
    }
    const bool is_short =
        channel != nullptr ? !channel->awaited_from || bytes < *channel->awaited_from
                           : time.value < kWholeReceive * (value_at(one_way, bytes) - value_at(protocols.send, bytes));
    if (is_short || is_moved_by_processors(campaign, scope)) {
      protocols.receive[bytes] = time;
    } else {
      protocols.awaited_from = channel != nullptr ? channel->awaited_from : bytes <= 1 ? 0 : bytes;
      append_awaited(campaign, points, bytes, channel, protocols);
    }
  }
  if (protocols.rendezvous_above && !protocols.send.empty() && !campaign.samples.is_virtual) {
    // To start a larger one is to send a request, which is small; simulators charge it by the message's size.
    const Estimate request = protocols.send.begin()->second;
    protocols.send[*protocols.rendezvous_above + 1] = request;
  }
  return protocols;
}

}  // namespace postage
