#include "predict/flows/flow_penalties.hpp"

#include <algorithm>
#include <map>

namespace postage {

PenaltyCounts::PenaltyCounts(const FlowProgram& program, const FlowClasses& classes, const FlowPenalties& penalties)
    : classes_(classes), penalties_(penalties) {
  if (!penalties.any()) {
    return;
  }
  std::map<NodePair, std::size_t> known;
  for (MessageId id = 0; id < program.messages.size(); ++id) {
    const NodePair nodes = classes.nodes_of(program.messages[id]);
    if (nodes.first == nodes.second) {
      route_of_.push_back(kNoRoute);
      continue;
    }
    const std::size_t route = known.try_emplace(nodes, routes_.size()).first->second;
    if (route == routes_.size()) {
      routes_.push_back({.nodes = nodes});
    }
    route_of_.push_back(route);
    std::vector<FlowClassId>& list = routes_[route].classes;
    const FlowClassId flow = classes.of(id);
    if (flow != FlowClasses::kNoClass && std::find(list.begin(), list.end(), flow) == list.end()) {
      list.push_back(flow);
    }
    nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(std::max(nodes.first, nodes.second)) + 1));
  }
}

void PenaltyCounts::change(MessageId message, double by) {
  const std::size_t at = route_of_.empty() ? kNoRoute : route_of_[message];
  if (at == kNoRoute) {
    return;
  }
  Route& route = routes_[at];
  Node& source = node(route.nodes.first);
  Node& target = node(route.nodes.second);
  if (source.sent + by == 0 && source.in.empty()) {
    spread();  // what has changed by now; this change reaches nobody
  }
  route.messages += by;
  source.sent += by;
  target.received += by;
  if (by > 0 && route.messages == by) {
    source.out.push_back(at);
    target.in.push_back(at);
  } else if (route.messages == 0) {
    std::erase(source.out, at);
    std::erase(target.in, at);
  }
  if (!source.out.empty() || !source.in.empty()) {
    stirred_.push_back(route.nodes.first);
  }
}

void PenaltyCounts::spread() {
  const auto add = [&](int number) {
    if (!std::exchange(node(number).is_renewed, true)) {
      stirred_.push_back(number);
    }
  };
  for (const int number : std::exchange(stirred_, {})) {
    add(number);
  }
  for (std::size_t i = 0; i < stirred_.size(); ++i) {
    const Node& reached = node(stirred_[i]);
    renew(reached);
    for (const std::size_t route : reached.out) {
      add(routes_[route].nodes.second);
    }
    for (const std::size_t route : reached.in) {
      add(routes_[route].nodes.first);
    }
  }
  for (const int number : stirred_) {
    node(number).is_renewed = false;
  }
  stirred_.clear();
}

/// Of all messages that leave the node.
void PenaltyCounts::renew(const Node& source) {
  double of_sending = 1;
  for (const std::size_t route : source.out) {
    const bool crosses = node(routes_[route].nodes.second).received > 2;
    const double own = source.sent > 1 ? source.sent * penalties_.sending * (crosses ? penalties_.crossing : 1) : 1;
    of_sending = std::max(of_sending, own);
  }
  for (const std::size_t at : source.out) {
    Route& route = routes_[at];
    const Node& target = node(route.nodes.second);
    const double hosts = static_cast<double>(target.in.size());
    const double of_receiving = target.received > 1 ? route.messages * penalties_.receiving * hosts : 1;
    if (const double penalty = std::max(of_receiving, of_sending); penalty != route.penalty) {
      route.penalty = penalty;
      renewed_.push_back(at);
    }
  }
}

}  // namespace postage
