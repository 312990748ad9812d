#include "program/receive_lowering.hpp"

namespace postage {

void ReceiveLowering::append_receives(Step& step, const RankRound& round) {
  arrivals_.begin_round();
  for (const Transfer& transfer : round.receives) {
    if (transfer.source != transfer.target) {
      step.receives.push_back({transfer.source, {}, transfer.pattern->protocol});
      step.receives.back().where =
          receive(step, ranges_of(state_.schedule, round.position, transfer), transfer.pattern->combine);
    }
  }
  arrivals_.release_previous();
}

/// Returns the memory that the message arrives in.
Region ReceiveLowering::receive(Step& step, const Ranges& ranges, Combine combine) {
  if (combine == Combine::kCopy) {
    return receive_copy(step, ranges);
  }
  return state_.is_prefix() ? prefix_.receive(step, ranges, combine)
                            : combine_.receive(step, state_.values, ranges, combine);
}

Region ReceiveLowering::receive_copy(Step& step, const Ranges& ranges) {
  const IovecSegments targets = copy_targets(ranges);
  const std::vector<Region> regions = regions_of(targets);
  for (const IovecSegment& target : targets) {
    state_.values.assign(target.begin, target.end, target.at);
  }
  if (regions.size() == 1 && !sends_.is_being_sent(regions.front())) {
    return regions.front();
  }
  const Region arrival = arrivals_.allocate(total_bytes(ranges));
  Address from = arrival.at;
  for (const Region& region : regions) {
    step.after.push_back({{from, region.bytes}, region.at});
    from = advanced(from, region.bytes);
  }
  return arrival;
}

/// Where copied blocks go: over their old value where there is one, otherwise to newly assigned memory.
IovecSegments ReceiveLowering::copy_targets(const Ranges& ranges) {
  const bool all_are_results = state_.buffers.are_results(ranges);
  IovecSegments targets;
  for (const IovecSegment& segment : iovec_of(state_.values, ranges)) {
    if (is_assigned(segment) && segment.at.memory != Memory::kSend) {
      append(targets, segment);
      continue;
    }
    for (const IovecSegment& target :
         state_.buffers.assign({segment.begin, segment.end}, all_are_results, state_.round)) {
      append(targets, target);
    }
  }
  return targets;
}

}  // namespace postage
