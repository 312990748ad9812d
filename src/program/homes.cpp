#include "program/homes.hpp"

#include <algorithm>
#include <limits>

namespace postage {
namespace {

constexpr std::size_t kForGood = std::numeric_limits<std::size_t>::max();

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

Homes::Homes(const Schedule& schedule, Rank rank, const RankLayout& layout, ScratchPool& scratch)
    : blocks_pass_(schedule.collective == Collective::kAlltoall || schedule.collective == Collective::kReduceScatter),
      blocks_pass_apart_(schedule.collective == Collective::kAlltoall),
      total_(schedule.layout.total()),
      mirror_begin_(layout.mirror_begin),
      scratch_(scratch) {
  for (const Placed& result : layout.results) {
    results_.assign(result.begin, result.end, result.at);
  }
  if (blocks_pass_) {
    last_sends_ = last_sends_of(schedule, rank);
  }
}

bool Homes::are_results(const Ranges& ranges) const {
  return are_somewhere(of_results(ranges));
}

Parts Homes::of(ByteRange part, bool message_is_results, std::size_t round) {
  Parts homes;
  for (const Placed& result : of_results({part})) {
    if (is_somewhere(result) && (message_is_results || blocks_pass_apart_)) {
      append(homes, result);
    } else if (blocks_pass_) {
      append_passing({result.begin, result.end}, round, homes);
    } else {
      append_mirror({result.begin, result.end}, homes);
    }
  }
  return homes;
}

Parts Homes::in_mirror(ByteRange part) {
  Parts homes;
  append_mirror(part, homes);
  return homes;
}

void Homes::append_mirror(ByteRange part, Parts& homes) {
  const Bytes turn = std::clamp(mirror_begin_, part.begin, part.end);
  for (const ByteRange range : {ByteRange{part.begin, turn}, ByteRange{turn, part.end}}) {
    if (range.begin < range.end) {
      const Bytes wrapped = range.begin < mirror_begin_ ? total_ : 0;
      const Bytes offset = range.begin - mirror_begin_ + wrapped;
      append(homes, {range.begin, range.end, {Memory::kMirror, offset}});
      mirror_.begin = mirror_.end == 0 ? offset : std::min(mirror_.begin, offset);
      mirror_.end = std::max(mirror_.end, offset + range.end - range.begin);
    }
  }
}

/// In an alltoall each block has a place of its own; in a reduce_scatter those that came together stay together, some
/// of them for good if they are results.
void Homes::append_passing(ByteRange part, std::size_t round, Parts& homes) {
  std::size_t last_round = round;
  last_sends_.for_each(part.begin, part.end, [&](Bytes begin, Bytes end, const std::size_t* last_send) {
    const std::size_t last = last_send == nullptr ? round : std::max(round, *last_send);
    if (blocks_pass_apart_) {
      pass({begin, end}, last, homes);
    }
    last_round = std::max(last_round, last);
  });
  if (!blocks_pass_apart_) {
    pass(part, results_.meets(part.begin, part.end) ? kForGood : last_round, homes);
  }
}

void Homes::pass(ByteRange part, std::size_t last_round, Parts& homes) {
  const Placed place{part.begin, part.end, scratch_.allocate(part.end - part.begin).at};
  append(homes, place);
  passing_[last_round].push_back(place);
}

Parts Homes::passed(std::size_t round) {
  const auto found = passing_.find(round);
  if (found == passing_.end()) {
    return {};
  }
  Parts parts = std::move(found->second);
  passing_.erase(found);
  for (const Placed& part : parts) {
    scratch_.retire(region_of(part));
  }
  return parts;
}

}  // namespace postage
