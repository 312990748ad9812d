#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace postage {

/// Something that flows share: at most `capacity` bytes per second.
using ResourceId = std::uint32_t;
using FlowId = std::uint32_t;

struct ResourceUse {
  ResourceId resource = 0;
  double weight = 1;  ///< of each byte per second of the flow
};

/// Flows through shared resources at max-min fair rates: no flow's rate can grow but at the expense of one that has no
/// more (D. Bertsekas, R. Gallager, Data Networks, 1992, section 6.5.2, by progressive filling). Rates change only for
/// those flows that are joined, by resources and other flows, with one that came or went.
class FairRates {
 public:
  ResourceId add_resource(double capacity);

  /// `most` is the rate that the flow has alone; it must be finite or the flow must use a resource.
  void start(FlowId flow, double most, std::span<const ResourceUse> uses);
  void stop(FlowId flow);

  /// Rates after all that came and went since the last call; calls `changed(flow, rate)` for each flow whose rate was
  /// computed anew. O(rounds of filling * uses) for the flows concerned.
  template <typename Changed>
  void settle(const Changed& changed) {
    if (stirred_.empty()) {
      return;
    }
    collect();
    fill();
    for (const FlowId flow : concerned_) {
      changed(flow, flows_[flow].rate);
    }
  }

 private:
  struct State {
    double most = 0;
    double rate = 0;
    bool active = false;
    bool fixed = false;
    std::uint64_t seen = 0;
    std::vector<ResourceUse> uses;
  };
  struct Resource {
    double capacity = 0;
    double left = 0;
    double weight = 0;  ///< of the flows that are not fixed yet
    std::uint64_t seen = 0;
    std::vector<FlowId> flows;
  };

  void collect();
  void fill();
  void fix(State& flow, double rate);

  std::vector<State> flows_;
  std::vector<Resource> resources_;
  std::vector<ResourceId> stirred_;
  std::vector<FlowId> concerned_;
  std::vector<ResourceId> involved_;
  std::uint64_t visit_ = 0;
};

}  // namespace postage
