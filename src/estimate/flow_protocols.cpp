#include "estimate/flow_protocols.hpp"

#include "estimate/transfer_data.hpp"

namespace postage {
namespace {

/// A send that takes at least this share of the message's time waits for its end; a receive that takes this share of
/// what is left after the sender's overhead waits for its beginning.
constexpr double kWholeSend = 0.85;
constexpr double kWholeReceive = 0.9;

}  // namespace

FlowProtocols flow_protocols(const CampaignData& campaign, const ScopeData& scope,
                             const std::vector<CurvePoint>& points) {
  const RankOverheads overheads = overheads_of(campaign, scope);
  TimesBySize one_way;
  for (const CurvePoint& point : points) {
    one_way[point.bytes] = Estimate::exactly(point.seconds);
  }
  FlowProtocols protocols;
  // From the smallest of those sizes on that all keep their sender; one bad time among eager ones says nothing.
  for (const auto& [bytes, time] : overheads.send) {
    const bool keeps = time.value >= kWholeSend * value_at(one_way, bytes);
    if (!keeps) {
      protocols.rendezvous_above.reset();
    } else if (!protocols.rendezvous_above) {
      protocols.rendezvous_above = protocols.send.empty() ? -1 : protocols.send.rbegin()->first;
    }
    protocols.send[bytes] = time;
  }
  if (protocols.rendezvous_above) {
    protocols.send.erase(protocols.send.upper_bound(*protocols.rendezvous_above), protocols.send.end());
    if (!protocols.send.empty()) {
      // Starting a larger one takes no longer: its bytes are not copied.
      const Estimate last = protocols.send.rbegin()->second;
      protocols.send[*protocols.rendezvous_above + 1] = last;
    }
  }
  for (const auto& [bytes, time] : overheads.receive) {
    if (protocols.awaited_from || (protocols.rendezvous_above && bytes > *protocols.rendezvous_above)) {
      break;
    }
    if (time.value < kWholeReceive * (value_at(one_way, bytes) - value_at(protocols.send, bytes))) {
      protocols.receive[bytes] = time;
    } else {
      protocols.awaited_from = bytes <= 1 ? 0 : bytes;
      if (!protocols.receive.empty()) {
        const Estimate last = protocols.receive.rbegin()->second;
        protocols.receive[bytes] = last;  // what it grows to beyond cannot be seen, and is the wire's
      }
    }
  }
  return protocols;
}

}  // namespace postage
