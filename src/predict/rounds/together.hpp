#pragma once

#include <postage/model/flow.hpp>
#include <postage/model/model.hpp>

#include <algorithm>

namespace postage {

/// What a message costs among others that its rank starts at the same time, to other partners, where messages share
/// rates (ModelProperties::has_flows): none waits for the handshake of the one before, and what two ranks share alone
/// keeps none apart. What the source shares among its messages keeps these apart as they leave, what the target shares
/// as they arrive. Models of other kinds: `cost` as it is.
inline TransferCost started_together(const Model& model, const TransferQuestion& question, TransferCost cost) {
  const Flow* flow = model.properties().has_flows ? model.target<Flow>() : nullptr;
  if (flow == nullptr) {
    return cost;
  }
  const FlowLink& link = flow->links.at(question);
  const FlowLimits source = flow->limits(link, question.source, question.channel);
  const FlowLimits target = flow->limits(link, question.target, question.channel);
  const double of_nodes = question.concurrency * std::max(source.node, target.node);
  const auto size = static_cast<double>(question.bytes);
  const bool rendezvous = link.is_rendezvous(question.bytes);
  const Seconds waited = rendezvous ? cost.sender_busy : cost.handshake;
  cost.sender_busy -= waited;
  cost.wire += waited;
  const Seconds started = rendezvous ? flow->send_overhead(link, question.source, question.channel, question.bytes) : 0;
  cost.gap = std::max(std::max(source.sender, of_nodes) * size, started);
  cost.handshake = cost.gap - std::max(target.receiver, of_nodes) * size;
  return cost;
}

}  // namespace postage
