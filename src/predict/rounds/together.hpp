#pragma once

#include <postage/model/model.hpp>

#include <algorithm>

namespace postage {

/// What a message costs among others that its rank starts at the same time, to other partners, where messages share
/// rates (ModelProperties::has_flows): none waits for the handshake of the one before, and what two ranks share alone
/// keeps none apart. Models of other kinds: `cost` as it is.
inline TransferCost started_together(const Model& model, const TransferQuestion& question, TransferCost cost) {
  const Flow* flow = model.properties().has_flows ? model.target<Flow>() : nullptr;
  if (flow == nullptr) {
    return cost;
  }
  const FlowLink& link = flow->links.at(question);
  const FlowLimits source = flow->limits(link, question.source, question.channel);
  const FlowLimits target = flow->limits(link, question.target, question.channel);
  const double per_byte =
      std::max({source.sender, target.receiver, question.concurrency * std::max(source.node, target.node)});
  const Seconds waited = link.is_rendezvous(question.bytes) ? cost.sender_busy : cost.handshake;
  cost.sender_busy -= waited;
  cost.wire += waited;
  cost.gap = per_byte * static_cast<double>(question.bytes);
  cost.handshake = 0;
  return cost;
}

}  // namespace postage
