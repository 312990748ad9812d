#include "program/prefix_lowering.hpp"

#include <algorithm>

namespace postage {

Region PrefixLowering::receive(Step& step, const Ranges& ranges, Combine side) {
  if (side == Combine::kReduceLeft) {
    return receive_from_left(step, ranges);
  }
  return carry_is_needed() ? combine_.receive(step, state_.values, ranges, side)
                           : arrivals_.allocate(total_bytes(ranges));
}

Region PrefixLowering::receive_from_left(Step& step, const Ranges& ranges) {
  if (state_.schedule.collective == Collective::kScan && !has_own_carry(ranges)) {
    const Region arrival = combine_.receive(step, state_.results, ranges, Combine::kReduceLeft);
    for (const IovecSegment& segment : iovec_of(state_.results, ranges)) {
      state_.values.assign(segment.begin, segment.end, segment.at);
    }
    return arrival;
  }
  if (const auto result = receive_first_result(ranges)) {
    combine_carry(step, ranges, result->at);
    return *result;
  }
  // The carry first: while it still is the result, it is copied before the result changes.
  const Region arrival = arrivals_.allocate(total_bytes(ranges));
  combine_carry(step, ranges, arrival.at);
  combine_.combine_all(step, state_.results, ranges, arrival.at, Combine::kReduceLeft);
  return arrival;
}

/// True where some of the carry is separate from the result.
bool PrefixLowering::has_own_carry(const Ranges& ranges) const {
  const IovecSegments carry = iovec_of(state_.values, ranges);
  return std::any_of(carry.begin(), carry.end(),
                     [](const IovecSegment& segment) { return segment.at.memory == Memory::kStaging; });
}

void PrefixLowering::combine_carry(Step& step, const Ranges& ranges, Address from) {
  if (carry_is_needed()) {
    combine_.combine_all(step, state_.values, ranges, from, Combine::kReduceLeft);
  }
}

/// What arrives first at a rank of an exscan is its result so far.
std::optional<Region> PrefixLowering::receive_first_result(const Ranges& ranges) {
  const IovecSegments held = iovec_of(state_.results, ranges);
  const IovecSegments targets = state_.buffers.of_results(ranges);
  if (held.size() != 1 || is_assigned(held.front()) || targets.size() != 1) {
    return std::nullopt;
  }
  state_.results.assign(targets.front().begin, targets.front().end, targets.front().at);
  return region_of(targets.front());
}

}  // namespace postage
