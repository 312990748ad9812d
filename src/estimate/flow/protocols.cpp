#include "estimate/flow/protocols.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/flow/awaited.hpp"
#include "estimate/flow/size_votes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace postage {
namespace {

/// Where processors move the bytes, a send and a receive that comes late take so much of the message's time together:
/// about all of it if each does a part of the work, and about twice as much if one waits for the other.
constexpr double kWholeTwice = 1.5;

/// Between near sizes no bytes make a message so many times as long, and hardly noise: then it is a threshold, also
/// where intervals are too wide to say so.
constexpr double kLeap = 1.5;

/// Whether messages keep their senders, by what the scope's ranks take.
SizeVotes kept_by_ranks(const RankOverheads& overheads, const TimesBySize& one_way, bool processors_move) {
  SizeVotes keeps;
  for (const auto& [bytes, time] : overheads.send) {
    const double whole = value_at(one_way, bytes);
    const auto receive = overheads.receive.find(bytes);
    const bool has_both = processors_move && receive != overheads.receive.end();
    keeps.emplace_back(
        bytes, has_both ? time.value + receive->second.value >= kWholeTwice * whole : time.value >= kWholeSend * whole);
  }
  return keeps;
}

SizeVotes awaited_by_ranks(const RankOverheads& overheads, const TimesBySize& one_way) {
  SizeVotes awaited;
  for (const auto& [bytes, time] : overheads.receive) {
    const Seconds left = value_at(one_way, bytes) - value_at(overheads.send, bytes);
    awaited.emplace_back(bytes, time.value >= kWholeReceive * left);
  }
  return awaited;
}

/// The largest size that does not keep its sender, and below the smallest -1; nothing where none does.
std::optional<Bytes> rendezvous_above(const SizeVotes& keeps) {
  const std::size_t first = first_that_do(keeps);
  return first == keeps.size() ? std::nullopt : std::optional(first == 0 ? -1 : keeps[first - 1].first);
}

/// Between the largest size that is known to keep no sender and the smallest that does, the curve of messages, which
/// were measured at more sizes, may show the threshold as a step.
std::optional<Bytes> refined(std::optional<Bytes> above, const SizeVotes& keeps, const TimesBySize& one_way,
                             const std::vector<Bytes>& steps) {
  const std::size_t first = first_that_do(keeps);
  if (first == 0 || first == keeps.size()) {
    return above;
  }
  const auto end = one_way.upper_bound(keeps[first].first);
  for (auto next = one_way.upper_bound(*above); next != end; ++next) {
    const auto before = next == one_way.begin() ? next : std::prev(next);
    const bool is_near = static_cast<double>(next->first) <= kNearSizes * static_cast<double>(before->first);
    const bool leaps = is_near && next->second.value > kLeap * before->second.value;
    if (leaps || std::binary_search(steps.begin(), steps.end(), next->first)) {
      return std::max(*above, before->first);
    }
  }
  return above;
}

/// Of messages that do not keep their senders.
std::optional<Bytes> awaited_from(SizeVotes awaited, const std::optional<Bytes>& rendezvous_above) {
  std::erase_if(awaited, [&](const auto& vote) { return rendezvous_above && vote.first > *rendezvous_above; });
  const std::size_t first = first_that_do(awaited);
  if (first == awaited.size()) {
    return std::nullopt;
  }
  return awaited[first].first <= 1 ? 0 : awaited[first].first;
}

}  // namespace

bool is_moved_by_processors(const CampaignData& campaign, const ScopeData& scope) {
  return !campaign.samples.is_virtual && scope.channel() != kInterNode;
}

/// By pairs; where processors move the bytes by both times together.
static SizeVotes kept_sizes(const RankOverheads& overheads, const TimesBySize& one_way, const CampaignData& campaign,
                            const ScopeData& scope) {
  const bool processors_move = is_moved_by_processors(campaign, scope);
  SizeVotes by_pairs = processors_move ? SizeVotes{} : kept_by_pairs(scope);
  return by_pairs.empty() ? kept_by_ranks(overheads, one_way, processors_move) : by_pairs;
}

/// By pairs; none where processors move the bytes.
static SizeVotes awaited_sizes(const RankOverheads& overheads, const TimesBySize& one_way, const CampaignData& campaign,
                               const ScopeData& scope) {
  if (is_moved_by_processors(campaign, scope)) {
    return {};
  }
  SizeVotes by_pairs = awaited_by_pairs(campaign, scope);
  return by_pairs.empty() ? awaited_by_ranks(overheads, one_way) : by_pairs;
}

/// Of each pair whose receives were measured; without any, of the scope.
static std::vector<AwaitedCurve> curves_of(const ScopeData& scope, const std::vector<CurvePoint>& points, Bytes from,
                                           const FlowProtocols& protocols) {
  std::vector<AwaitedCurve> curves;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [rank, receives] : pair->receive_overhead) {
      if (const auto above = receives.lower_bound(from); above != receives.begin()) {
        curves.push_back({curve_of(*pair), std::prev(above)->second.value});
      }
    }
  }
  if (curves.empty() && !protocols.receive.empty()) {
    curves.push_back({points, std::prev(protocols.receive.end())->second.value});
  }
  return curves;
}

/// What receives take of messages from these bytes on; pairs do as their channel does.
static void append_awaited(const CampaignData& campaign, const ScopeData& scope, const std::vector<CurvePoint>& points,
                           Bytes from, const FlowProtocols* channel, FlowProtocols& protocols) {
  const Bytes largest = protocols.rendezvous_above.value_or(points.empty() ? from : points.back().bytes);
  TimesBySize awaited{{from, Estimate::exactly(0)}};
  if (channel != nullptr && channel->receives_when_awaited) {
    awaited = along_line(protocols.receive, from, largest);
  } else if (channel == nullptr && campaign.samples.is_virtual) {
    awaited = receives_when_awaited(protocols.receive, curves_of(scope, points, from, protocols), from, largest);
  }
  if (!protocols.receive.empty()) {
    protocols.receives_when_awaited = !awaited.empty() && awaited.begin()->second.value > 0;
    protocols.receive.merge(awaited);
  }
}

/// S; inside a real node where its messages' times say that it is.
static std::optional<Bytes> rendezvous_of(const RankOverheads& overheads, const TimesBySize& one_way,
                                          const CampaignData& campaign, const ScopeData& scope) {
  const SizeVotes keeps = kept_sizes(overheads, one_way, campaign, scope);
  const std::optional<Bytes> above = rendezvous_above(keeps);
  return is_moved_by_processors(campaign, scope) ? refined(above, keeps, one_way, steps_of(scope)) : above;
}

FlowProtocols flow_protocols(const CampaignData& campaign, const ScopeData& scope,
                             const std::vector<CurvePoint>& points, const FlowProtocols* channel) {
  const RankOverheads overheads = overheads_of(campaign, scope);
  const TimesBySize one_way = times_at(points);
  FlowProtocols protocols{.send = overheads.send,
                          .receive = {},
                          .rendezvous_above = channel != nullptr ? channel->rendezvous_above
                                                                 : rendezvous_of(overheads, one_way, campaign, scope),
                          .awaited_from = std::nullopt,
                          .receives_when_awaited = false};
  const auto is_eager = [&](Bytes bytes) {
    return !protocols.rendezvous_above || bytes <= *protocols.rendezvous_above;
  };
  std::erase_if(protocols.send, [&](const auto& entry) { return !is_eager(entry.first); });
  const std::optional<Bytes> awaited =
      channel != nullptr ? channel->awaited_from
                         : awaited_from(awaited_sizes(overheads, one_way, campaign, scope), protocols.rendezvous_above);
  const auto first_awaited = awaited ? overheads.receive.lower_bound(*awaited) : overheads.receive.end();
  for (auto late = overheads.receive.begin(); late != first_awaited && is_eager(late->first); ++late) {
    protocols.receive.insert(*late);
  }
  // Pairs whose late receives were not measured do as their channel does.
  const bool is_measured = first_awaited != overheads.receive.end() && is_eager(first_awaited->first);
  if (is_measured || (channel != nullptr && awaited && is_eager(*awaited))) {
    protocols.awaited_from = awaited;
    append_awaited(campaign, scope, points, is_measured ? first_awaited->first : *awaited, channel, protocols);
  }
  if (protocols.rendezvous_above && !protocols.send.empty() && !campaign.samples.is_virtual) {
    // To start a larger one is to send a request, which is small; simulators charge it by the message's size. Twice: a
    // curve goes on as between its last two points.
    const Estimate request = protocols.send.begin()->second;
    const Bytes first = *protocols.rendezvous_above + 1;
    protocols.send[first] = protocols.send[2 * first] = request;
  }
  return protocols;
}

}  // namespace postage
