#include "launch/lab/switch_clock.hpp"

#include <algorithm>
#include <limits>

namespace postage {

SwitchClock::SwitchClock(const LabPlan& plan) : queue_(static_cast<double>(plan.queue)) {
  for (const std::vector<LabCable>* cables : {&plan.hosts, &plan.hosts, &plan.uplinks, &plan.uplinks}) {
    for (const LabCable& cable : *cables) {
      ports_.push_back({.per_byte = cable.rate > 0 ? 1 / cable.rate : 0, .latency = cable.latency});
    }
  }
  for (std::size_t host = 0; host < plan.hosts.size(); ++host) {
    switch_of_.push_back(plan.switch_of(host));
  }
  SwitchClock idle = *this;
  lookahead_ = std::numeric_limits<Seconds>::infinity();
  for (std::size_t from = 0; from < plan.hosts.size(); ++from) {
    for (std::size_t to = 0; to < plan.hosts.size(); ++to) {
      if (from != to) {
        lookahead_ = std::min(lookahead_, idle.send(from, to, 0, 0).reaches);
      }
    }
  }
}

std::size_t SwitchClock::cables_between(std::size_t from, std::size_t to) const {
  return switch_of_[from] == switch_of_[to] ? 2 : 4;
}

std::size_t SwitchClock::port_of(const Passage& passage) const {
  const std::size_t hosts = switch_of_.size();
  if (passage.cables == 0) {
    return passage.from;
  }
  if (passage.cables + 1 == cables_between(passage.from, passage.to)) {
    return hosts + passage.to;
  }
  const std::size_t switches = (ports_.size() - 2 * hosts) / 2;
  return 2 * hosts + (passage.cables == 1 ? switch_of_[passage.from] : switches + switch_of_[passage.to]);
}

/// A cable's latency counts before it, and that of the first one with the second's: what is sent now is then known for
/// as long as possible before it meets anything.
void SwitchClock::occupy(Passage& passage, Port& port) const {
  const Seconds begin = std::max(passage.reaches, port.busy_until);
  port.busy_until = begin + static_cast<double>(passage.bytes) * port.per_byte;
  Seconds latency = passage.cables == 0 ? port.latency : 0;
  ++passage.cables;
  if (passage.cables < cables_between(passage.from, passage.to)) {
    latency += ports_[port_of(passage)].latency;
  }
  passage.reaches = begin + latency;
  passage.complete = std::max(passage.complete, port.busy_until) + latency;
}

Passage SwitchClock::send(std::size_t from, std::size_t to, Bytes bytes, Seconds now) {
  Passage passage{.from = from, .to = to, .bytes = bytes, .reaches = now, .complete = now};
  occupy(passage, ports_[from]);
  return passage;
}

SwitchClock::Step SwitchClock::pass_on(Passage& passage) {
  Port& port = ports_[port_of(passage)];
  if (port.busy_until - passage.reaches > queue_ * port.per_byte) {
    return Step::kDropped;
  }
  occupy(passage, port);
  return passage.cables < cables_between(passage.from, passage.to) ? Step::kOnTheWay : Step::kArrives;
}

}  // namespace postage
