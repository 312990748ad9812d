#pragma once

#include "predict/flows/flow_classes.hpp"

#include <cstddef>
#include <vector>

namespace postage {

/// Counts the messages under way between nodes, and says how they slow one another (see FlowPenalties). When a message
/// starts or ends, the rates of all that are joined with its source's others change, by sources and targets that they
/// have in common; those of a target that the source sends nothing else to stay what they were, as in SimGrid's model:
/// where messages end at the same time, one after the other, in which the last of a source changes nobody's rate.
class PenaltyCounts {
 public:
  PenaltyCounts(const FlowProgram& program, const FlowClasses& classes, const FlowPenalties& penalties);

  /// A message leaves, or has arrived.
  void start(MessageId message) { change(message, 1); }
  void end(MessageId message) { change(message, -1); }

  /// Calls `changed(class, most)` for each class of which a flow can do more, or less, alone since the last call.
  /// O(pairs of nodes with messages under way).
  template <typename Changed>
  void settle(const Changed& changed) {
    spread();
    for (const std::size_t route : renewed_) {
      for (const FlowClassId id : routes_[route].classes) {
        changed(id, classes_.most(id) / routes_[route].penalty);
      }
    }
    renewed_.clear();
  }

 private:
  static constexpr std::size_t kNoRoute = static_cast<std::size_t>(-1);

  /// From a node to another.
  struct Route {
    NodePair nodes{};
    double messages = 0;  ///< under way
    double penalty = 1;
    std::vector<FlowClassId> classes{};
  };
  struct Node {
    std::vector<std::size_t> out{};  ///< routes with messages under way
    std::vector<std::size_t> in{};
    double sent = 0;  ///< messages under way
    double received = 0;
    bool is_renewed = false;
  };

  void change(MessageId message, double by);
  /// Renews what messages that started or ended since the last call have changed.
  void spread();
  void renew(const Node& node);
  [[nodiscard]] Node& node(int number) { return nodes_[static_cast<std::size_t>(number)]; }

  const FlowClasses& classes_;
  FlowPenalties penalties_;
  std::vector<std::size_t> route_of_;  ///< [message]
  std::vector<Route> routes_;
  std::vector<Node> nodes_;
  std::vector<int> stirred_;          ///< nodes that messages have left, or from which they have arrived
  std::vector<std::size_t> renewed_;  ///< routes whose penalty has changed since the last settling
};

}  // namespace postage
