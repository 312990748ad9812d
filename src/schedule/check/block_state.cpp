#include "schedule/check/block_state.hpp"

namespace postage {

std::unique_ptr<BlockState> initial_state(const Schedule& schedule, bool ordered) {
  switch (schedule.collective) {
    case Collective::kBarrier:
      return barrier_state(schedule);
    case Collective::kReduce:
    case Collective::kAllreduce:
    case Collective::kReduceScatter:
      return reduction_state(schedule, ordered);
    case Collective::kScan:
    case Collective::kExscan:
      return prefix_state(schedule, ordered);
    default:
      return copy_state(schedule);
  }
}

}  // namespace postage
