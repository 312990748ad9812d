#include "predict/flows/flow_classes.hpp"

#include <algorithm>
#include <limits>

namespace postage {

FlowClasses::FlowClasses(const FlowProgram& program, const ChannelMap& channels) : channels_(channels) {
  class_of_.reserve(program.messages.size());
  for (const FlowMessage& message : program.messages) {
    class_of_.push_back(class_of(message));
  }
}

FlowClassId FlowClasses::class_of(const FlowMessage& message) {
  find_uses(message);
  if (message.bytes == 0 || uses_.empty()) {
    return kNoClass;
  }
  const double alone = message.link->seconds_per_byte;
  ClassKey key{alone > 0 ? 1 / alone : std::numeric_limits<double>::infinity(), {}};
  for (const ResourceUse& use : uses_) {
    key.second.emplace_back(use.resource, use.weight);
  }
  const auto [found, is_new] = known_classes_.try_emplace(std::move(key), FlowClassId{0});
  if (is_new) {
    found->second = rates_.add_class(found->first.first, uses_);
  }
  return found->second;
}

void FlowClasses::add(Kind kind, std::uint64_t first, std::uint64_t second, double seconds_per_byte) {
  if (!(seconds_per_byte > 0)) {
    return;
  }
  const std::uint64_t key = static_cast<std::uint64_t>(kind) << 60U | first << 30U | second;
  auto found = known_.find(key);
  if (found == known_.end()) {
    found = known_.emplace(key, rates_.add_resource(1)).first;
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
  const FlowLimits& limits = message.link->limits;
  const double back = message.link->reverse_share;
  const auto source = static_cast<std::uint64_t>(message.source);
  const auto target = static_cast<std::uint64_t>(message.target);
  add(Kind::kPair, source, target, limits.pair);
  add(Kind::kPair, target, source, limits.pair * back);
  add(Kind::kSender, source, message.channel, limits.sender);
  add(Kind::kSender, target, message.channel, limits.sender * back);
  add(Kind::kReceiver, target, message.channel, limits.receiver);
  add(Kind::kReceiver, source, message.channel, limits.receiver * back);
  const auto from = static_cast<std::uint64_t>(node_of(message.source));
  const auto to = static_cast<std::uint64_t>(node_of(message.target));
  if (from == to) {
    add(Kind::kInside, from, message.channel, limits.node * (1 + back));
    return;
  }
  add(Kind::kOut, from, message.channel, limits.node);
  add(Kind::kOut, to, message.channel, limits.node * back);
  add(Kind::kIn, to, message.channel, limits.node);
  add(Kind::kIn, from, message.channel, limits.node * back);
}

}  // namespace postage
