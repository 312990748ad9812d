#pragma once

#include "predict/flows/flow_classes.hpp"

#include <postage/base/units.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace postage {

/// The flows under way, class by class. Flows of a class have moved equally far from the moment at which both were
/// under way: what a class has moved is one number, and a flow ends when that number is as much larger as its bytes
/// are. So a change of rates costs nothing for each flow, and only the first end of a class is awaited.
class FlowShares {
 public:
  explicit FlowShares(const FlowClasses& classes) : rates_(classes.rates()), moving_(classes.count()) {}

  /// A flow of `bytes`, in the class's bytes, comes.
  void start(FlowClassId id, MessageId message, double bytes, Seconds now);

  /// What a flow of the class can do alone from now on.
  void bound(FlowClassId id, double most) { rates_.bound(id, most); }

  /// Flows of the class that end until `most` after `now` go: `ended(message, time)`. Does nothing where the end
  /// awaited has been overtaken by another rate, or another flow.
  template <typename Ended>
  void end(FlowClassId id, std::uint32_t version, Seconds now, Seconds most, const Ended& ended) {
    Moving& moving = moving_[id];
    if (version != moving.version) {
      return;
    }
    move_on(moving, now);
    for (bool is_first = true; !moving.ends.empty(); is_first = false) {
      const Seconds rest = std::max(moving.ends.front().first - moving.moved, 0.0) / moving.rate;
      if (!is_first && rest > most) {
        break;
      }
      const MessageId message = moving.ends.front().second;
      take_first(moving);
      rates_.stop(id);
      touch(id);
      ended(message, now + rest);
    }
  }

  /// Rates after all that came and went; `awaited(class, version, time)` for each end to be awaited anew.
  template <typename Awaited>
  void settle(Seconds now, const Awaited& awaited) {
    rates_.settle([&](FlowClassId id, double rate) { change_rate(id, rate, now); });
    for (const FlowClassId id : touched_) {
      Moving& moving = moving_[id];
      moving.is_touched = false;
      ++moving.version;
      if (!moving.ends.empty()) {
        move_on(moving, now);
        awaited(id, moving.version, now + std::max(moving.ends.front().first - moving.moved, 0.0) / moving.rate);
      }
    }
    touched_.clear();
  }

 private:
  struct Moving {
    double moved = 0;  ///< bytes that each flow has moved since the class had some
    double rate = 0;
    Seconds since = 0;
    std::uint32_t version = 0;
    bool is_touched = false;
    std::vector<std::pair<double, MessageId>> ends{};  ///< what the class has moved when a flow ends, the first first
  };

  static void move_on(Moving& moving, Seconds now);
  static void take_first(Moving& moving);
  void change_rate(FlowClassId id, double rate, Seconds now);
  void touch(FlowClassId id);

  FairRates rates_;
  std::vector<Moving> moving_;  ///< [class]
  std::vector<FlowClassId> touched_;
};

}  // namespace postage
