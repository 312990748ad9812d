#include "predict/flows/flow_resources.hpp"

#include <algorithm>

namespace postage {

void FlowResources::add(Kind kind, std::uint64_t first, std::uint64_t second, double seconds_per_byte, FairRates& rates,
                        std::vector<ResourceUse>& uses) {
  if (!(seconds_per_byte > 0)) {
    return;
  }
  const std::uint64_t key = static_cast<std::uint64_t>(kind) << 60U | first << 30U | second;
  auto found = known_.find(key);
  if (found == known_.end()) {
    found = known_.emplace(key, rates.add_resource(1)).first;
  }
  const auto same =
      std::find_if(uses.begin(), uses.end(), [&](const ResourceUse& use) { return use.resource == found->second; });
  if (same == uses.end()) {
    uses.push_back({found->second, seconds_per_byte});
  } else {
    same->weight += seconds_per_byte;
  }
}

void FlowResources::find(const FlowMessage& message, FairRates& rates, std::vector<ResourceUse>& uses) {
  uses.clear();
  const FlowLimits& limits = message.link->limits;
  const double back = message.link->reverse_share;
  const auto source = static_cast<std::uint64_t>(message.source);
  const auto target = static_cast<std::uint64_t>(message.target);
  add(Kind::kPair, source, target, limits.pair, rates, uses);
  add(Kind::kPair, target, source, limits.pair * back, rates, uses);
  add(Kind::kSender, source, message.channel, limits.sender, rates, uses);
  add(Kind::kSender, target, message.channel, limits.sender * back, rates, uses);
  add(Kind::kReceiver, target, message.channel, limits.receiver, rates, uses);
  add(Kind::kReceiver, source, message.channel, limits.receiver * back, rates, uses);
  const auto from = static_cast<std::uint64_t>(node_of(message.source));
  const auto to = static_cast<std::uint64_t>(node_of(message.target));
  if (from == to) {
    add(Kind::kInside, from, message.channel, limits.node * (1 + back), rates, uses);
    return;
  }
  add(Kind::kOut, from, message.channel, limits.node, rates, uses);
  add(Kind::kOut, to, message.channel, limits.node * back, rates, uses);
  add(Kind::kIn, to, message.channel, limits.node, rates, uses);
  add(Kind::kIn, from, message.channel, limits.node * back, rates, uses);
}

}  // namespace postage
