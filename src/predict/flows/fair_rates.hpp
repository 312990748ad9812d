#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace postage {

/// Something that flows share: at most `capacity` bytes per second.
using ResourceId = std::uint32_t;
/// Flows that use the same of every resource, and so have the same rate.
using FlowClassId = std::uint32_t;

struct ResourceUse {
  ResourceId resource = 0;
  double weight = 1;  ///< of each byte per second of the flow
  bool operator==(const ResourceUse&) const = default;
};

/// Flows through shared resources at max-min fair rates: no flow's rate, over its class's share, can grow but at the
/// expense of one that has no more (D. Bertsekas, R. Gallager, Data Networks, 1992, section 6.5.2, by progressive
/// filling). Rates change only for those flows that are joined, by other flows and resources that can be short, with
/// one that came or went.
class FairRates {
 public:
  /// `slows_one`: a flow that has it to itself, too, and not only those that share it.
  ResourceId add_resource(double capacity, bool slows_one = true);
  [[nodiscard]] bool slows_one(ResourceId id) const { return resources_[id].slows_one; }

  /// `most` is the rate that a flow of the class has alone; it must be finite or the flow must use a resource. Where
  /// flows compete their rates are in proportion to their `share`.
  FlowClassId add_class(double most, std::span<const ResourceUse> uses, double share = 1);

  [[nodiscard]] std::size_t resources() const { return resources_.size(); }
  [[nodiscard]] double share_of(FlowClassId flow) const { return classes_[flow].share; }
  /// What a flow of the class uses.
  [[nodiscard]] std::span<const ResourceUse> uses_of(FlowClassId flow) const { return classes_[flow].uses; }

  /// A flow of a class comes or goes.
  void start(FlowClassId flow);
  void stop(FlowClassId flow);

  /// A flow of the class has this rate alone from now on.
  void bound(FlowClassId flow, double most);

  /// Rates after all that came and went since the last call; calls `changed(class, rate)` for each class with flows
  /// whose rate was computed anew. O(u log u) for the u uses of the classes concerned, however many flows they have.
  template <typename Changed>
  void settle(const Changed& changed) {
    if (stirred_.empty() && stirred_classes_.empty()) {
      return;
    }
    collect();
    fill();
    for (const FlowClassId id : concerned_) {
      changed(id, classes_[id].rate);
    }
  }

 private:
  struct Class {
    double most = 0;
    double share = 1;
    double rate = 0;
    double flows = 0;
    bool fixed = false;
    std::uint64_t seen = 0;
    std::vector<ResourceUse> uses;
  };
  struct User {
    FlowClassId flow = 0;
    double weight = 0;  ///< of each byte per second of a flow
    bool operator==(const User&) const = default;
  };
  struct Resource {
    double capacity = 0;
    bool slows_one = true;
    double left = 0;
    double weight = 0;        ///< of the flows that are not fixed yet, for each share
    double least_weight = 0;  ///< of a class; more is left, but for rounding, while some are open
    std::size_t open = 0;     ///< classes that are not fixed yet
    bool is_short = false;    ///< can_be_short, when its flows last changed
    std::uint64_t looked_at = 0;
    std::uint64_t seen = 0;
    std::vector<User> users;  ///< classes that have flows
  };
  using Bound = std::pair<double, std::uint32_t>;  ///< of a resource's or a class's rates, for each share

  void stir(FlowClassId id);
  /// And that flow has a rate of its own.
  [[nodiscard]] bool has_one_flow(const Resource& resource) const;
  /// False where all its flows together, each at the rate that it has alone, leave some of it: it slows nobody.
  [[nodiscard]] bool can_be_short(ResourceId id) const;
  void collect();
  void fill();
  /// At this rate for each share.
  void fix(FlowClassId id, double level);
  [[nodiscard]] static double share_of(const Resource& resource);
  /// Takes out the bounds below `most` that still hold; calls `visit(number)` for each.
  template <typename Current, typename Visit>
  static void take_bounds(std::vector<Bound>& heap, double most, const Current& current, const Visit& visit);
  template <typename Current>
  static double least_of(std::vector<Bound>& heap, const Current& current);

  std::vector<Class> classes_;
  std::vector<Resource> resources_;
  std::vector<ResourceId> stirred_;
  std::vector<FlowClassId> stirred_classes_;
  std::vector<FlowClassId> concerned_;
  std::vector<ResourceId> involved_;
  std::vector<FlowClassId> held_;
  std::vector<Bound> shares_;  ///< of resources, the least first
  std::vector<Bound> mosts_;   ///< of classes, the least first
  std::uint64_t visit_ = 0;
};

}  // namespace postage
