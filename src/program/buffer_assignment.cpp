#include "program/buffer_assignment.hpp"

#include <algorithm>
#include <limits>

namespace postage {
namespace {

constexpr std::size_t kToTheEnd = std::numeric_limits<std::size_t>::max();

IntervalMap<std::size_t> last_sends_of(const Schedule& schedule, Rank rank) {
  IntervalMap<std::size_t> last_sends;
  std::size_t number = 0;
  for_each_rank_round(schedule, rank, [&](const RankRound& round) {
    for (const Transfer& transfer : round.sends) {
      for (const ByteRange& range : ranges_of(schedule, round.position, transfer)) {
        last_sends.assign(range.begin, range.end, number);
      }
    }
    ++number;
  });
  return last_sends;
}

}  // namespace

BufferAssignment::BufferAssignment(const Schedule& schedule, Rank rank, const RankLayout& layout, ScratchPool& scratch)
    : blocks_pass_(schedule.collective == Collective::kAlltoall || schedule.collective == Collective::kReduceScatter),
      blocks_pass_apart_(schedule.collective == Collective::kAlltoall),
      total_(schedule.layout.total()),
      staging_begin_(layout.staging_begin),
      scratch_(scratch) {
  for (const IovecSegment& result : layout.results) {
    results_.assign(result.begin, result.end, result.at);
  }
  if (blocks_pass_) {
    last_sends_ = last_sends_of(schedule, rank);
  }
}

bool BufferAssignment::are_results(const Ranges& ranges) const {
  return all_assigned(of_results(ranges));
}

IovecSegments BufferAssignment::assign(ByteRange range, bool message_is_results, std::size_t round) {
  IovecSegments segments;
  for (const IovecSegment& result : of_results({range})) {
    if (is_assigned(result) && (message_is_results || blocks_pass_apart_)) {
      append(segments, result);
    } else if (blocks_pass_) {
      append_passing({result.begin, result.end}, round, segments);
    } else {
      append_staging({result.begin, result.end}, segments);
    }
  }
  return segments;
}

IovecSegments BufferAssignment::in_staging(ByteRange range) {
  IovecSegments segments;
  append_staging(range, segments);
  return segments;
}

void BufferAssignment::append_staging(ByteRange range, IovecSegments& segments) {
  const Bytes turn = std::clamp(staging_begin_, range.begin, range.end);
  for (const ByteRange side : {ByteRange{range.begin, turn}, ByteRange{turn, range.end}}) {
    if (side.begin < side.end) {
      const Bytes wrapped = side.begin < staging_begin_ ? total_ : 0;
      const Bytes offset = side.begin - staging_begin_ + wrapped;
      append(segments, {side.begin, side.end, {Memory::kStaging, offset}});
      staging_.begin = staging_.end == 0 ? offset : std::min(staging_.begin, offset);
      staging_.end = std::max(staging_.end, offset + side.end - side.begin);
    }
  }
}

/// In an alltoall each block is allocated by itself; in a reduce_scatter the blocks of a message stay contiguous, and
/// are kept to the end where some of them are results.
void BufferAssignment::append_passing(ByteRange range, std::size_t round, IovecSegments& segments) {
  std::size_t last_round = round;
  last_sends_.for_each(range.begin, range.end, [&](Bytes begin, Bytes end, const std::size_t* last_send) {
    const std::size_t last = last_send == nullptr ? round : std::max(round, *last_send);
    if (blocks_pass_apart_) {
      pass({begin, end}, last, segments);
    }
    last_round = std::max(last_round, last);
  });
  if (!blocks_pass_apart_) {
    pass(range, results_.meets(range.begin, range.end) ? kToTheEnd : last_round, segments);
  }
}

void BufferAssignment::pass(ByteRange range, std::size_t last_round, IovecSegments& segments) {
  const IovecSegment segment{range.begin, range.end, scratch_.allocate(range.end - range.begin).at};
  append(segments, segment);
  passing_[last_round].push_back(segment);
}

IovecSegments BufferAssignment::passed(std::size_t round) {
  const auto found = passing_.find(round);
  if (found == passing_.end()) {
    return {};
  }
  IovecSegments segments = std::move(found->second);
  passing_.erase(found);
  for (const IovecSegment& segment : segments) {
    scratch_.retire(region_of(segment));
  }
  return segments;
}

}  // namespace postage
