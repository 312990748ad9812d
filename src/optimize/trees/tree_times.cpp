#include "optimize/trees/tree_times.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace postage {
namespace {

/// What a gather of medium blocks escalates by on average; the level itself where it is not known how often it comes.
Seconds mean_escalation(const FanLimits& limits) {
  return std::accumulate(
      limits.levels.begin(), limits.levels.end(), Seconds{0},
      [](Seconds sum, const EscalationStep& level) { return sum + level.seconds * level.share.value_or(1); });
}

}  // namespace

TreeTimes::TreeTimes(const EdgeCosts& costs, Rank root, std::vector<Rank> parents) : costs_(costs), root_(root) {
  reset(std::move(parents));
}

void TreeTimes::reset(std::vector<Rank> parents) {
  parents_ = std::move(parents);
  nodes_.assign(parents_.size(), {});
  for (Rank rank = 0; rank < static_cast<Rank>(ranks()); ++rank) {
    if (rank != root_) {
      node(parent(rank)).children.push_back(rank);
    }
  }
  evaluate_all();
}

bool TreeTimes::is_below(Rank rank, Rank top) const {
  while (rank != -1 && rank != top) {
    rank = parent(rank);
  }
  return rank == top;
}

const std::vector<Rank>& TreeTimes::sorted_children(Rank rank) const {
  const bool down = costs_.direction() == TreeDirection::kDown;
  const auto after = [&](Rank child) {
    const EdgeCost& above = node(child).above;
    return (down ? above.rest : above.arrival()) + node(child).seconds;
  };
  sorted_ = node(rank).children;
  std::ranges::sort(sorted_, [&](Rank a, Rank b) {
    const Seconds of_a = after(a);
    const Seconds of_b = after(b);
    return of_a != of_b ? of_a > of_b : a < b;
  });
  return sorted_;
}

void TreeTimes::evaluate_down(Node& node) {
  Seconds busy = 0;
  for (const Rank child : sorted_) {
    const Node& below = this->node(child);
    busy += below.above.busy;
    const Seconds end = busy + below.above.rest + below.seconds;
    if (end > node.seconds || node.critical < 0) {
      node.seconds = end;
      node.critical = child;
    }
  }
}

/// As the timeline has it: the port serves messages in the order of their arrival, then the processor does.
void TreeTimes::evaluate_up(Node& node) {
  Seconds port = -std::numeric_limits<Seconds>::infinity();
  Rank last = -1;
  for (auto child = sorted_.rbegin(); child != sorted_.rend(); ++child) {
    const Node& below = this->node(*child);
    const Seconds arrival = below.seconds + below.above.arrival();
    const Seconds after_others = port + below.above.gap;
    if (arrival >= after_others) {
      last = *child;
    }
    port = std::max(arrival, after_others);
    if (port >= node.seconds || node.critical < 0) {
      node.critical = last;
    }
    node.seconds = std::max(port, node.seconds) + below.above.taking_in;
  }
}

/// FanLimits' rules for one sender: large messages one at a time, the others transmitted when the last has been sent.
void TreeTimes::evaluate_fan_down(Node& node, const FanLimits& limits) {
  Seconds processor = 0;
  Seconds serialised = 0;
  const auto is_large = [&](Rank child) { return limits.serialises_fan_out(costs_.message(this->node(child).bytes)); };
  const auto ends = [&](Rank child, Seconds end) {
    if (end > node.seconds || node.critical < 0) {
      node.seconds = end;
      node.critical = child;
    }
  };
  for (const Rank child : sorted_) {
    const EdgeCost& above = this->node(child).above;
    const Seconds begin = std::max(processor, serialised);
    processor = begin + above.busy;
    if (is_large(child)) {
      serialised = begin + above.total();
      ends(child, serialised + this->node(child).seconds);
    }
  }
  const Seconds released = std::max(processor, serialised);
  for (const Rank child : sorted_) {
    if (!is_large(child)) {
      ends(child, released + this->node(child).above.rest + this->node(child).seconds);
    }
  }
}

/// For one receiver: small messages when all of them have come, then the large ones, each transmitted by itself.
void TreeTimes::evaluate_fan_up(Node& node, const FanLimits& limits) {
  const auto bytes = [&](Rank child) { return costs_.message(this->node(child).bytes); };
  const auto arrival = [&](Rank child) { return this->node(child).seconds + this->node(child).above.rest; };
  const auto taking_in = [&](Rank child) {
    return this->node(child).above.busy + limits.correction(bytes(child)) / static_cast<double>(node.children.size());
  };
  Seconds processor = 0;
  Seconds small = 0;
  bool has_medium = false;
  for (const Rank child : sorted_) {
    has_medium = has_medium || limits.is_medium(bytes(child));
    if (!limits.serialises_fan_in(bytes(child))) {
      small += taking_in(child);
      if (arrival(child) >= processor) {
        processor = arrival(child);
        node.critical = child;
      }
    }
  }
  processor += small + (has_medium ? mean_escalation(limits) : 0);
  bool has_begun = small > 0;
  for (auto child = sorted_.rbegin(); child != sorted_.rend(); ++child) {
    if (limits.serialises_fan_in(bytes(*child))) {
      const Seconds after_others = has_begun ? processor + this->node(*child).above.rest : 0;
      if (arrival(*child) >= after_others || node.critical < 0) {
        node.critical = *child;
      }
      processor = std::max({arrival(*child), after_others, processor}) + taking_in(*child);
      has_begun = true;
    }
  }
  node.seconds = processor;
}

bool TreeTimes::is_limited_fan() const {
  const auto is_limited = [&](Rank child) { return costs_.is_limited(costs_.message(node(child).bytes)); };
  if (costs_.direction() == TreeDirection::kDown) {
    return sorted_.size() > 1 && std::ranges::any_of(sorted_, is_limited);
  }
  // The last to arrive first: each must set out when the one before it has come, and somewhat later, as nothing happens
  // quite when it is predicted to.
  constexpr double kMargin = 0.1;
  Seconds later_sets_out = std::numeric_limits<Seconds>::infinity();
  for (const Rank child : sorted_) {
    if (is_limited(child)) {
      const Seconds arrival = node(child).seconds + node(child).above.rest;
      if (arrival > later_sets_out) {
        return true;
      }
      later_sets_out = arrival - (1 + kMargin) * node(child).above.wire;
    }
  }
  return false;
}

void TreeTimes::evaluate(Rank rank) {
  Node& own = node(rank);
  own.seconds = 0;
  own.critical = -1;
  own.bytes = costs_.block(rank);
  work_ += own.children.size() + 1;
  for (const Rank child : own.children) {
    own.bytes += node(child).bytes;
  }
  static_cast<void>(sorted_children(rank));
  own.is_limited = is_limited_fan();
  const bool down = costs_.direction() == TreeDirection::kDown;
  if (own.is_limited) {
    down ? evaluate_fan_down(own, *costs_.fan_limits()) : evaluate_fan_up(own, *costs_.fan_limits());
  } else {
    down ? evaluate_down(own) : evaluate_up(own);
  }
  if (rank != root_) {
    own.above = costs_.of(parent(rank), rank, costs_.message(own.bytes));
  }
}

void TreeTimes::evaluate_upwards(Rank rank) {
  for (; rank != -1; rank = parent(rank)) {
    evaluate(rank);
  }
}

void TreeTimes::evaluate_all() {
  std::vector<Rank> downwards{root_};
  for (std::size_t i = 0; i < downwards.size(); ++i) {
    const std::vector<Rank>& below = children(downwards[i]);
    downwards.insert(downwards.end(), below.begin(), below.end());
  }
  for (auto rank = downwards.rbegin(); rank != downwards.rend(); ++rank) {
    evaluate(*rank);
  }
}

void TreeTimes::move(Rank rank, Rank new_parent) {
  const Rank old_parent = parent(rank);
  std::erase(node(old_parent).children, rank);
  parents_[static_cast<std::size_t>(rank)] = new_parent;
  node(new_parent).children.push_back(rank);
  evaluate_upwards(old_parent);
  evaluate_upwards(rank);
}

void TreeTimes::exchange(Rank a, Rank b) {
  const auto renamed = [&](Rank rank) { return rank == a ? b : rank == b ? a : rank; };
  std::swap(node(a).children, node(b).children);
  for (const Rank one : {a, b}) {
    std::ranges::transform(node(one).children, node(one).children.begin(), renamed);
  }
  const Rank above_a = parent(a);
  const Rank above_b = parent(b);
  for (const Rank above : {above_a, above_b}) {
    if (above != a && above != b) {
      std::ranges::transform(node(above).children, node(above).children.begin(), renamed);
    }
    if (above_a == above_b) {
      break;
    }
  }
  parents_[static_cast<std::size_t>(a)] = renamed(above_b);
  parents_[static_cast<std::size_t>(b)] = renamed(above_a);
  for (const Rank one : {a, b}) {
    for (const Rank child : children(one)) {
      parents_[static_cast<std::size_t>(child)] = one;
      node(child).above = costs_.of(one, child, costs_.message(node(child).bytes));
    }
  }
  evaluate_upwards(a);
  evaluate_upwards(b);
}

ExplicitTree TreeTimes::explicit_tree() const {
  ExplicitTree tree{.parents = parents_, .order = {root_}};
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    const std::vector<Rank>& below = sorted_children(tree.order[i]);
    tree.order.insert(tree.order.end(), below.begin(), below.end());
    if (costs_.fan_limits() != nullptr && below.size() > 1 && !node(tree.order[i]).is_limited) {
      tree.one_by_one.push_back(tree.order[i]);
    }
  }
  return tree;
}

}  // namespace postage
