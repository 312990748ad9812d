#include "program/combine_lowering.hpp"

namespace postage {

bool CombineLowering::is_carry(const Values& values) const {
  return state_.is_prefix() && &values == &state_.values;
}

/// Carries are combined in the staging area only: elsewhere they are results, or the caller's send buffer.
bool CombineLowering::may_change(const Values& values, Address at) const {
  return is_carry(values) ? at.memory == Memory::kStaging : at.memory != Memory::kSend;
}

IovecSegments CombineLowering::targets_of(const Values& values, const IovecSegment& segment, bool all_are_results) {
  const ByteRange range{segment.begin, segment.end};
  return is_carry(values) ? state_.buffers.in_staging(range)
                          : state_.buffers.assign(range, all_are_results, state_.round);
}

Region CombineLowering::receive(Step& step, Values& values, const Ranges& ranges, Combine side) {
  if (const auto target = receive_at_target(step, values, ranges, side)) {
    return *target;
  }
  const Region arrival = arrivals_.allocate(total_bytes(ranges));
  combine_all(step, values, ranges, arrival.at, side);
  return arrival;
}

/// Where the own value must not be changed, it can be the left side of an operation that changes what arrives: this
/// saves a copy.
std::optional<Region> CombineLowering::receive_at_target(Step& step, Values& values, const Ranges& ranges,
                                                         Combine side) {
  const IovecSegments own = iovec_of(values, ranges);
  const bool own_may_be_left = side == Combine::kReduceRight || state_.options.commutative;
  if (!own_may_be_left || own.size() != 1 || may_change(values, own.front().at)) {
    return std::nullopt;
  }
  const IovecSegments targets = targets_of(values, own.front(), state_.buffers.are_results(ranges));
  if (targets.size() != 1) {
    return std::nullopt;
  }
  step.after.push_back({region_of(own.front()), targets.front().at, true});
  values.assign(targets.front().begin, targets.front().end, targets.front().at);
  return region_of(targets.front());
}

void CombineLowering::combine_all(Step& step, Values& values, const Ranges& ranges, Address from, Combine side) {
  const bool all_are_results = state_.buffers.are_results(ranges);
  for (const IovecSegment& segment : iovec_of(values, ranges)) {
    const bool has_value = is_assigned(segment);
    const bool stays = has_value && may_change(values, segment.at);
    for (const IovecSegment& target : stays ? IovecSegments{segment} : targets_of(values, segment, all_are_results)) {
      const Address own = has_value ? advanced(segment.at, target.begin - segment.begin) : target.at;
      combine_segment(step, {from, target.end - target.begin}, has_value, own, target.at, side);
      values.assign(target.begin, target.end, target.at);
      from = advanced(from, target.end - target.begin);
    }
  }
}

/// target = own op arriving, or the other way round. Leaves what arrived as it is if that is the left side.
void CombineLowering::combine_segment(Step& step, const Region& arrived, bool has_value, Address own, Address target,
                                      Combine side) {
  if (!has_value) {
    step.after.push_back({arrived, target});
  } else if (side == Combine::kReduceLeft || state_.options.commutative) {
    if (own != target) {
      step.after.push_back({{own, arrived.bytes}, target});
    }
    step.after.push_back({arrived, target, true});
  } else {
    step.after.push_back({{own, arrived.bytes}, arrived.at, true});
    step.after.push_back({arrived, target});
  }
}

}  // namespace postage
