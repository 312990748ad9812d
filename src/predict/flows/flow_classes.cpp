#include "predict/flows/flow_classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

/// Whose messages have a share of 1: any would do, as only ratios count.
constexpr Seconds kUsualLatency = 1e-6;

}  // namespace

FlowClasses::FlowClasses(const FlowProgram& program, const ChannelMap& channels, const Flow& model)
    : channels_(channels), model_(model) {
  class_of_.reserve(program.messages.size());
  for (const FlowMessage& message : program.messages) {
    class_of_.push_back(class_of(message));
  }
}

double FlowClasses::envelope_of(const FlowMessage& message) const {
  if (model_.envelope == 0) {
    return 0;
  }
  const NodePair nodes = nodes_of(message);
  const double alone = message.link->seconds_per_byte;
  return nodes.first != nodes.second && alone > 0 ? std::min(model_.envelope, message.link->latency / alone) : 0;
}

FlowClassId FlowClasses::class_of(const FlowMessage& message) {
  find_uses(message);
  const NodePair nodes = nodes_of(message);
  const double alone = message.link->seconds_per_byte;
  // What takes no time for its bytes takes no multiple of it.
  const bool has_penalty = model_.penalties.any() && nodes.first != nodes.second && alone > 0;
  if ((message.bytes == 0 && envelope_of(message) == 0) || (uses_.empty() && !has_penalty)) {
    return kNoClass;
  }
  ClassKey key{.most = alone > 0 ? 1 / alone : std::numeric_limits<double>::infinity(),
               .share = share_of(message),
               .nodes = has_penalty ? nodes : NodePair{}};
  for (const ResourceUse& use : uses_) {
    key.uses.emplace_back(use.resource, use.weight);
  }
  const auto [found, is_new] = known_classes_.try_emplace(std::move(key), FlowClassId{0});
  if (is_new) {
    found->second = rates_.add_class(found->first.most, uses_, found->first.share);
    most_.push_back(found->first.most);
  }
  return found->second;
}

double FlowClasses::share_of(const FlowMessage& message) const {
  if (!(model_.share_exponent > 0)) {
    return 1 / message.link->occupancy;
  }
  const FlowLink& smallest = model_.links.at({.source = channels_.measured_rank(message.source),
                                              .target = channels_.measured_rank(message.target),
                                              .channel = message.channel});
  const Seconds time = smallest.latency + model_.share_bytes * path_seconds_per_byte_;
  return (time > 0 ? std::pow(time / kUsualLatency, -model_.share_exponent) : 1) / message.link->occupancy;
}

void FlowClasses::add(Kind kind, std::uint64_t first, std::uint64_t second, double seconds_per_byte, bool slows_one) {
  if (!(seconds_per_byte > 0)) {
    return;
  }
  const std::uint64_t key = static_cast<std::uint64_t>(kind) << 60U | first << 30U | second;
  auto found = known_.find(key);
  if (found == known_.end()) {
    found = known_.emplace(key, rates_.add_resource(1, slows_one)).first;
  }
  const auto same =
      std::find_if(uses_.begin(), uses_.end(), [&](const ResourceUse& use) { return use.resource == found->second; });
  if (same == uses_.end()) {
    uses_.push_back({found->second, seconds_per_byte});
  } else {
    same->weight += seconds_per_byte;
  }
}

void FlowClasses::find_uses(const FlowMessage& message) {
  uses_.clear();
  path_seconds_per_byte_ = 0;
  const double back = message.link->reverse_share;
  const auto source = static_cast<std::uint64_t>(message.source);
  const auto target = static_cast<std::uint64_t>(message.target);
  add(Kind::kPair, source, target, message.link->limits.pair);
  add(Kind::kPair, target, source, message.link->limits.pair * back);
  const int from = node_of(message.source);
  const int to = node_of(message.target);
  const FlowLimits& at_source = message.source_limits;
  const FlowLimits& at_target = message.target_limits;
  const std::uint64_t port = port_of(message, from, to);
  const bool is_apart = from != to;
  add(Kind::kSender, source, port, at_source.sender, is_apart);
  add(Kind::kSender, target, port, at_target.sender * back, is_apart);
  add(Kind::kReceiver, target, port, at_target.receiver, is_apart);
  add(Kind::kReceiver, source, port, at_source.receiver * back, is_apart);
  if (!is_apart) {
    return add(Kind::kInside, static_cast<std::uint64_t>(from), message.channel, at_source.node * (1 + back), false);
  }
  add(Kind::kOut, static_cast<std::uint64_t>(from), port, at_source.node);
  add(Kind::kOut, static_cast<std::uint64_t>(to), port, at_target.node * back);
  add(Kind::kIn, static_cast<std::uint64_t>(to), port, at_target.node);
  add(Kind::kIn, static_cast<std::uint64_t>(from), port, at_source.node * back);
  path_seconds_per_byte_ = (std::max(at_source.sender, at_source.node) + std::max(at_target.receiver, at_target.node)) /
                           message.link->occupancy;
  add_links(message, from, to, 1);
  if (channels_.network() != nullptr && !channels_.network()->structure().half_duplex) {
    add_links(message, to, from, back);
  }
}

std::uint64_t FlowClasses::port_of(const FlowMessage& message, int from, int to) const {
  constexpr std::uint64_t kChannels = 256;
  const bool has_rails = from != to && channels_.network() != nullptr;
  const int rail = has_rails ? channels_.network()->rail_between(from, to) : 0;
  return message.channel + kChannels * static_cast<std::uint64_t>(rail);
}

void FlowClasses::add_links(const FlowMessage& message, int from, int to, double share) {
  if (channels_.network() == nullptr) {
    return;
  }
  channels_.network()->find_route(from, to, route_);
  for (const LinkOnRoute& link : route_) {
    const std::uint64_t number = link_numbers_.try_emplace(link.id, link_numbers_.size()).first->second;
    add(Kind::kLink, number, 0, share * message.link->occupancy / link.bandwidth);
    path_seconds_per_byte_ += share == 1 ? 1 / link.bandwidth : 0;
  }
}

}  // namespace postage
