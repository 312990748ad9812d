#pragma once

#include "predict/timeline/arrival_order.hpp"
#include "predict/timeline/clocks.hpp"

namespace postage {

/// A rank whose messages are followed in the order in which it takes them in.
struct OrderedRank {
  RankClocks clocks;
  Seconds latest_arrival = RankClocks::kNever;
};

/// Lets a message in and takes it in. False where it overtook one that the rank has let in already, so that the port
/// should have served it before; where the model keeps no arrivals apart, that is no matter.
inline bool receive_in_order(OrderedRank& rank, Seconds arrival, const TransferCost& cost, bool model_has_gaps) {
  const bool in_order = !model_has_gaps || end_of_moment(arrival) >= rank.latest_arrival;
  rank.latest_arrival = std::max(rank.latest_arrival, arrival);
  take_in(rank.clocks, end_arrival(rank.clocks, arrival, cost.receive_gap()), cost);
  return in_order;
}

}  // namespace postage
