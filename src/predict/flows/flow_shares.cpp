#include "predict/flows/flow_shares.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace postage {
namespace {

/// Rates that differ by less are the same, added up in another order.
constexpr double kSameRate = 1e-14;

}  // namespace

void FlowShares::start(FlowClassId id, MessageId message, double bytes, Seconds now) {
  Moving& moving = moving_[id];
  if (moving.ends.empty()) {
    moving.moved = 0;
    moving.rate = 0;
  }
  move_on(moving, now);
  moving.ends.emplace_back(moving.moved + bytes, message);
  std::push_heap(moving.ends.begin(), moving.ends.end(), std::greater<>());
  rates_.start(id);
  touch(id);
}

void FlowShares::move_on(Moving& moving, Seconds now) {
  moving.moved += moving.rate * (now - moving.since);
  moving.since = now;
}

void FlowShares::take_first(Moving& moving) {
  std::pop_heap(moving.ends.begin(), moving.ends.end(), std::greater<>());
  moving.ends.pop_back();
}

void FlowShares::change_rate(FlowClassId id, double rate, Seconds now) {
  Moving& moving = moving_[id];
  if (std::abs(rate - moving.rate) <= kSameRate * rate) {
    return;
  }
  move_on(moving, now);
  moving.rate = rate;
  touch(id);
}

void FlowShares::touch(FlowClassId id) {
  if (!std::exchange(moving_[id].is_touched, true)) {
    touched_.push_back(id);
  }
}

}  // namespace postage
