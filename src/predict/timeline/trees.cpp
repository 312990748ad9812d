#include "predict/timeline/arrival_order.hpp"
#include "predict/timeline/fans.hpp"
#include "predict/timeline/representatives.hpp"
#include "predict/timeline/transfer_costs.hpp"

#include <algorithm>

namespace postage {
namespace {

/// A segment on the edge from a node to its parent.
struct Hop {
  TransferCost cost{};
  Seconds time = 0;  ///< upwards: of its arrival at the parent; downwards: from its arrival at the node to the end
  Bytes bytes = 0;
};

/// A hop's arrival at a parent, which may have several children of one form.
struct HopArrival {
  Seconds arrival = 0;  ///< its end once the port has served it
  TransferCost cost{};
  std::size_t place = 0;  ///< [segment][child]
  Bytes bytes = 0;
};

/// Follows one rank for each form of sub-tree.
class TreeTimeline {
 public:
  TreeTimeline(const Schedule& schedule, const TreeShape& shape, const ChannelMap& channels, const Model& model)
      : schedule_(schedule),
        shape_(shape),
        costs_(channels, model),
        limits_(model.fan_limits()),
        segments_(static_cast<std::size_t>(schedule.stages.front().segments)),
        hops_(shape.nodes().size() * segments_) {}

  std::optional<Seconds> run() {
    Seconds end = 0;
    for (std::size_t node = 0; node < shape_.nodes().size(); ++node) {
      price(node);
      if (shape_.goes_down() && !arrives_in_order(node)) {
        return std::nullopt;
      }
      end = shape_.goes_down() ? follow_back(node) : follow(node);
    }
    return end;
  }

 private:
  [[nodiscard]] Hop& hop(std::size_t node, std::size_t segment) { return hops_[node * segments_ + segment]; }
  [[nodiscard]] bool is_root(std::size_t node) const { return shape_.nodes()[node].edge == TreeShape::kRoot; }

  void price(std::size_t number) {
    if (is_root(number)) {
      return;
    }
    const TreeNode& node = shape_.nodes()[number];
    const TreeEdges& edges = shape_.edges_of(node);
    const Index parent = node.v - edges.distance;
    const TransferPosition ends =
        shape_.goes_down() ? TransferPosition{parent, node.v} : TransferPosition{node.v, parent};
    const Rank source = shape_.rank_of(ends.source);
    const Rank target = shape_.rank_of(ends.target);
    const ChannelId channel = costs_.channel_of(source, target);
    for (std::size_t segment = 0; segment < segments_; ++segment) {
      const Bytes bytes = bytes_at(schedule_, {0, 0, static_cast<Index>(segment), edges.round}, *edges.pattern, ends);
      hop(number, segment).cost = costs_.of(source, target, channel, bytes, form_of(*edges.pattern));
      hop(number, segment).bytes = bytes;
    }
  }

  /// No segment overtakes the one before on its way from the parent.
  [[nodiscard]] bool arrives_in_order(std::size_t node) {
    for (std::size_t segment = 1; !is_root(node) && segment < segments_; ++segment) {
      const TransferCost& before = hop(node, segment - 1).cost;
      const TransferCost& cost = hop(node, segment).cost;
      const Seconds later = std::max(before.sender_busy, before.gap) + cost.sender_busy + cost.wire;
      if (later < (before.sender_busy + before.wire) * (1 - kSameArrival)) {
        return false;
      }
    }
    return true;
  }

  /// Upwards: no message depends on the parent's time, so that its port is served first. Returns when the node's
  /// processor has done.
  Seconds follow(std::size_t number) {
    const TreeNode& node = shape_.nodes()[number];
    RankClocks clocks;
    serve_port(node, clocks);
    for (std::size_t segment = 0; segment < segments_; ++segment) {
      for (std::size_t child = 0; child < node.children.size();) {
        const std::size_t next = end_of_round(node, child);
        take_in_all(clocks, segment * node.children.size() + child, next - child);
        child = next;
      }
      if (!is_root(number)) {
        Hop& own = hop(number, segment);
        own.time = start_message(clocks, own.cost) + own.cost.sender_busy + own.cost.wire;
      }
    }
    return clocks.processor;
  }

  void serve_port(const TreeNode& node, RankClocks& clocks) {
    arriving_.clear();
    for (std::size_t segment = 0; segment < segments_; ++segment) {
      for (const std::size_t child : node.children) {
        const Hop& message = hop(child, segment);
        arriving_.push_back({message.time, message.cost, arriving_.size(), message.bytes});
      }
    }
    ended_ = arriving_;
    sort_by_arrival(arriving_, [](const HopArrival& message) { return message.arrival; });
    for (const HopArrival& message : arriving_) {
      ended_[message.place].arrival = end_arrival(clocks, message.arrival, message.cost.receive_gap());
    }
  }

  [[nodiscard]] std::size_t end_of_round(const TreeNode& node, std::size_t first) const {
    const auto round_of = [&](std::size_t child) { return shape_.edges_of(shape_.nodes()[child]).round; };
    const auto begin = node.children.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = std::find_if(begin, node.children.end(),
                                  [&](std::size_t child) { return round_of(child) != round_of(*begin); });
    return static_cast<std::size_t>(end - node.children.begin());
  }

  /// The `count` messages of one round from a place on, in the order in which the port served them.
  void take_in_all(RankClocks& clocks, std::size_t first, std::size_t count) {
    const auto begin = ended_.begin() + static_cast<std::ptrdiff_t>(first);
    arriving_.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    sort_by_arrival(arriving_, [](const HopArrival& message) { return message.arrival; });
    if (limits_ != nullptr && count > 1) {
      take_in_fan(clocks, *limits_, std::span<const HopArrival>(arriving_));
      return;
    }
    for (const HopArrival& message : arriving_) {
      take_in(clocks, message.arrival, message.cost);
    }
  }

  /// Of the round of the child before `end`.
  [[nodiscard]] std::size_t begin_of_round(const TreeNode& node, std::size_t end) const {
    const auto round_of = [&](std::size_t place) {
      return shape_.edges_of(shape_.nodes()[node.children[place]]).round;
    };
    std::size_t first = end - 1;
    while (first > 0 && round_of(first - 1) == round_of(end - 1)) {
      --first;
    }
    return first;
  }

  /// The sends of one round, from the last to the first.
  void before_starts(RankRemainders& remainders, std::span<const std::size_t> children, std::size_t segment) {
    const bool is_fan = limits_ != nullptr && children.size() > 1;
    Seconds from_small_ones = RankRemainders::kNothing;
    for (const std::size_t child : children) {
      const Hop& message = hop(child, segment);
      if (is_fan && !limits_->serialises_fan_out(message.bytes)) {
        from_small_ones = std::max(from_small_ones, message.cost.wire + message.time);
      }
    }
    remainders.processor = std::max(remainders.processor, from_small_ones);
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      const Hop& message = hop(*child, segment);
      if (message.cost.source_waits) {
        remainders.processor += message.cost.wire + message.cost.acknowledgement;
      }
      if (is_fan) {
        before_start_in_fan(remainders, limits_->serialises_fan_out(message.bytes), message.time, from_small_ones,
                            message.cost);
      } else {
        before_start(remainders, message.time, message.cost);
      }
    }
  }

  /// Downwards, from the end. Returns the time from the node's start to the end of all of its sub-tree.
  Seconds follow_back(std::size_t number) {
    const TreeNode& node = shape_.nodes()[number];
    RankRemainders remainders;
    for (std::size_t segment = segments_; segment-- > 0;) {
      for (std::size_t end = node.children.size(); end > 0;) {
        const std::size_t first = begin_of_round(node, end);
        before_starts(remainders, std::span(node.children).subspan(first, end - first), segment);
        end = first;
      }
      if (!is_root(number)) {
        Hop& own = hop(number, segment);
        own.time = before_take_in(remainders, own.cost);
      }
    }
    return std::max(remainders.processor, remainders.send_port);
  }

  const Schedule& schedule_;
  const TreeShape& shape_;
  TransferCosts costs_;
  const FanLimits* limits_;
  std::size_t segments_;
  std::vector<Hop> hops_;  ///< [node][segment]
  std::vector<HopArrival> arriving_;
  std::vector<HopArrival> ended_;  ///< at the node followed, [segment][child]
};

}  // namespace

std::optional<Seconds> tree_seconds(const Schedule& schedule, const TreeShape& shape, const ChannelMap& channels,
                                    const Model& model) {
  return TreeTimeline(schedule, shape, channels, model).run();
}

}  // namespace postage
