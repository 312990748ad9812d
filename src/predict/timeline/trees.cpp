#include "predict/timeline/clocks.hpp"
#include "predict/timeline/representatives.hpp"
#include "predict/timeline/transfer_costs.hpp"

#include <algorithm>

namespace postage {
namespace {

/// A segment on the edge from a node to its parent.
struct Hop {
  TransferCost cost{};
  Seconds time = 0;  ///< upwards: of its arrival at the parent; downwards: from its arrival at the node to the end
};

/// Follows one rank for each form of sub-tree.
class TreeTimeline {
 public:
  TreeTimeline(const Schedule& schedule, const TreeShape& shape, const ChannelMap& channels, const Model& model)
      : schedule_(schedule),
        shape_(shape),
        costs_(channels, model),
        segments_(static_cast<std::size_t>(schedule.stages.front().segments)),
        hops_(shape.nodes().size() * segments_) {}

  Seconds run() {
    Seconds end = 0;
    for (std::size_t node = 0; node < shape_.nodes().size(); ++node) {
      price(node);
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
      hop(number, segment).cost = costs_.of(source, target, channel, bytes, edges.pattern->combine);
    }
  }

  /// Upwards, in the order of time. Returns when the node's processor has done.
  Seconds follow(std::size_t number) {
    const TreeNode& node = shape_.nodes()[number];
    RankClocks clocks;
    for (std::size_t segment = 0; segment < segments_; ++segment) {
      for (auto child = node.children.begin(); child != node.children.end();) {
        const auto next = end_of_round(node, child);
        take_in_all(clocks, child, next, segment);
        child = next;
      }
      if (!is_root(number)) {
        Hop& own = hop(number, segment);
        own.time = start_message(clocks, own.cost) + own.cost.sender_busy + own.cost.wire;
      }
    }
    return clocks.processor;
  }

  using Child = std::vector<std::size_t>::const_iterator;

  [[nodiscard]] Child end_of_round(const TreeNode& node, Child first) const {
    const auto round_of = [&](std::size_t child) { return shape_.edges_of(shape_.nodes()[child]).round; };
    return std::find_if(first, node.children.end(),
                        [&](std::size_t child) { return round_of(child) != round_of(*first); });
  }

  /// Those of one round, in the order of their arrival.
  void take_in_all(RankClocks& clocks, Child first, Child last, std::size_t segment) {
    arriving_.clear();
    std::transform(first, last, std::back_inserter(arriving_), [&](std::size_t child) { return &hop(child, segment); });
    std::stable_sort(arriving_.begin(), arriving_.end(), [](const Hop* a, const Hop* b) { return a->time < b->time; });
    for (const Hop* message : arriving_) {
      take_in(clocks, message->time, message->cost);
    }
  }

  /// Downwards, from the end. Returns the time from the node's start to the end of all of its sub-tree.
  Seconds follow_back(std::size_t number) {
    const TreeNode& node = shape_.nodes()[number];
    RankRemainders remainders;
    for (std::size_t segment = segments_; segment-- > 0;) {
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
        const Hop& message = hop(*child, segment);
        before_start(remainders, message.time, message.cost);
      }
      if (!is_root(number)) {
        Hop& own = hop(number, segment);
        own.time = before_take_in(remainders, own.cost);
      }
    }
    return std::max({remainders.processor, remainders.send_port, remainders.receive_port});
  }

  const Schedule& schedule_;
  const TreeShape& shape_;
  TransferCosts costs_;
  std::size_t segments_;
  std::vector<Hop> hops_;  ///< [node][segment]
  std::vector<const Hop*> arriving_;
};

}  // namespace

Seconds tree_seconds(const Schedule& schedule, const TreeShape& shape, const ChannelMap& channels, const Model& model) {
  return TreeTimeline(schedule, shape, channels, model).run();
}

}  // namespace postage
