#pragma once

#include "predict/flows/flow_classes.hpp"

#include <postage/base/units.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace postage {

/// The flows under way, where each resource by itself gives equal portions to the flows that use it, whatever slows
/// these elsewhere, and a flow ends when the last of its resources has served it, and no sooner than it would alone.
/// What a resource does together takes as long as with max-min fair rates (FlowShares); but rates need not be computed:
/// what each flow of a resource, for its share, has been served is one number (virtual time: A. Demers, S. Keshav, S.
/// Shenker, Analysis and Simulation of a Fair Queueing Algorithm, SIGCOMM 1989), so that a flow that comes or goes
/// costs O(what it uses, log flows).
class FlowPortions {
 public:
  explicit FlowPortions(const FlowClasses& classes);

  /// A flow of `bytes`, in the class's bytes, comes.
  void start(FlowClassId id, MessageId message, double bytes, Seconds now);

  /// What a flow of the class can do alone from now on.
  void bound(FlowClassId id, double most) { most_[id] = most; }

  /// A resource has served its flows that end until `most` after `now`: `ended(message, time)` for each of which it was
  /// the last one, with a time that may lie ahead. Does nothing where another change has overtaken this one.
  template <typename Ended>
  void end(std::uint32_t resource, std::uint32_t version, Seconds now, Seconds most, const Ended& ended) {
    Port& port = ports_[resource];
    if (version != port.version) {
      return;
    }
    move_on(port, now);
    for (bool is_first = true; !port.ends.empty(); is_first = false) {
      const Seconds rest = port.seconds_until_first();
      if (!is_first && rest > most) {
        break;
      }
      const MessageId message = take_first(resource);
      Moving& moving = moving_[message];
      moving.served = std::max(moving.served, now + rest);
      if (--moving.left == 0) {
        ended(message, moving.served);
      }
    }
  }

  /// After all that came and went; `awaited(resource, version, time)` for each end to be awaited anew.
  template <typename Awaited>
  void settle(Seconds now, const Awaited& awaited) {
    for (const std::uint32_t resource : touched_) {
      Port& port = ports_[resource];
      port.is_touched = false;
      ++port.version;
      if (!port.ends.empty()) {
        awaited(resource, port.version, now + port.seconds_until_first());
      }
    }
    touched_.clear();
  }

 private:
  /// A resource.
  struct Port {
    double served = 0;  ///< bytes of each flow, for its share, since the first came
    double weight = 0;  ///< seconds that all flows together take for a byte of each, for its share
    double alone = 0;   ///< most of these where there is one flow, which the resource does not slow by itself
    Seconds since = 0;
    std::uint32_t version = 0;
    bool is_touched = false;
    std::vector<std::pair<double, MessageId>> ends{};  ///< `served` when a flow ends, the first first

    [[nodiscard]] Seconds seconds_until_first() const { return std::max(ends.front().first - served, 0.0) * pace(); }
    [[nodiscard]] double pace() const { return ends.size() == 1 ? std::min(weight, alone) : weight; }
  };
  struct Moving {
    FlowClassId flow = 0;
    std::uint32_t left = 0;  ///< resources that have not served it
    Seconds served = 0;      ///< by those that have, and alone
  };

  static void move_on(Port& port, Seconds now);
  MessageId take_first(std::uint32_t resource);
  [[nodiscard]] std::span<const ResourceUse> uses_of(FlowClassId id) const;
  [[nodiscard]] double weight_at(std::uint32_t resource, FlowClassId id) const;
  void touch(std::uint32_t resource);

  const FairRates& rates_;
  std::array<ResourceUse, 1> nothing_shared_;  ///< of flows that only penalties slow
  std::vector<double> most_;                   ///< [class]
  std::vector<Port> ports_;                    ///< [resource]
  std::vector<Moving> moving_;                 ///< [message]
  std::vector<std::uint32_t> touched_;
};

}  // namespace postage
