#include "predict/flows/flow_portions.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace postage {
namespace {

/// Seconds per byte of what is as good as unlimited.
constexpr double kNextToNothing = 1e-30;
constexpr Seconds kAnyTime = std::numeric_limits<Seconds>::infinity();

}  // namespace

FlowPortions::FlowPortions(const FlowClasses& classes)
    : rates_(classes.rates()),
      nothing_shared_{{{static_cast<ResourceId>(classes.rates().resources()), kNextToNothing}}},
      ports_(classes.rates().resources() + 1),
      moving_(classes.messages()) {
  for (std::size_t id = 0; id < classes.count(); ++id) {
    most_.push_back(classes.most(static_cast<FlowClassId>(id)));
  }
}

void FlowPortions::start(FlowClassId id, MessageId message, double bytes, Seconds now) {
  const std::span<const ResourceUse> uses = uses_of(id);
  moving_[message] = {id, static_cast<std::uint32_t>(uses.size()), now + bytes / most_[id]};
  const double share = rates_.share_of(id);
  for (const ResourceUse& use : uses) {
    Port& port = ports_[use.resource];
    if (port.ends.empty()) {
      port.served = 0;
      port.weight = 0;
      port.since = now;
    }
    move_on(port, now);
    port.weight += use.weight * share;
    port.ends.emplace_back(port.served + bytes / share, message);
    std::push_heap(port.ends.begin(), port.ends.end(), std::greater<>());
    touch(use.resource);
  }
}

void FlowPortions::move_on(Port& port, Seconds now) {
  if (const double pace = port.pace(); pace > 0) {
    port.served += (now - port.since) / pace;
  }
  port.since = now;
}

MessageId FlowPortions::take_first(std::uint32_t resource) {
  Port& port = ports_[resource];
  std::pop_heap(port.ends.begin(), port.ends.end(), std::greater<>());
  const MessageId message = port.ends.back().second;
  port.ends.pop_back();
  port.weight -= weight_at(resource, moving_[message].flow);
  touch(resource);
  return message;
}

double FlowPortions::weight_at(std::uint32_t resource, FlowClassId id) const {
  const std::span<const ResourceUse> uses = uses_of(id);
  const auto use = std::find_if(uses.begin(), uses.end(), [&](const ResourceUse& u) { return u.resource == resource; });
  return use->weight * rates_.share_of(id);
}

std::span<const ResourceUse> FlowPortions::uses_of(FlowClassId id) const {
  const std::span<const ResourceUse> uses = rates_.uses_of(id);
  return uses.empty() ? std::span<const ResourceUse>(nothing_shared_) : uses;
}

void FlowPortions::touch(std::uint32_t resource) {
  Port& port = ports_[resource];
  if (!std::exchange(port.is_touched, true)) {
    touched_.push_back(resource);
  }
  if (port.ends.size() == 1) {
    const FlowClassId only = moving_[port.ends.front().second].flow;
    const bool is_free = resource < rates_.resources() && !rates_.slows_one(resource) && most_[only] < kAnyTime;
    port.alone = is_free ? rates_.share_of(only) / most_[only] : kAnyTime;
  }
}

}  // namespace postage
