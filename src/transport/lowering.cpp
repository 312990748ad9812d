#include "transport/interval_map.hpp"
#include "transport/program.hpp"
#include "transport/rank_layout.hpp"
#include "transport/scratch_pool.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace postage {
namespace {

// Messages between two ranks match in order; the tag only catches mistakes early.
constexpr int kTags = 1024;
constexpr int kFirstTag = 4096;

/// Bytes [begin, end) of the schedule's blocks, taken one after another.
struct ByteRange {
  Bytes begin = 0;
  Bytes end = 0;
};

using Ranges = std::vector<ByteRange>;

void append(Ranges& ranges, Bytes begin, Bytes end) {
  if (!ranges.empty() && ranges.back().end == begin) {
    ranges.back().end = end;
  } else if (begin < end) {
    ranges.push_back({begin, end});
  }
}

/// What a transfer carries, in sending order.
Ranges ranges_of(const Schedule& schedule, const Place& place, const Transfer& transfer) {
  const BlockLayout& layout = schedule.layout;
  const Index segments = schedule.stages[place.stage].segments;
  Ranges ranges;
  for_each_run(transfer.pattern->blocks, transfer.virtual_place, [&](BlockRun run) {
    if (segments == 1) {
      append(ranges, layout.offset(run.first), layout.offset(run.first + run.count));
      return;
    }
    for (Index block = run.first; block < run.first + run.count; ++block) {
      const Bytes size = layout.size(block);
      const Bytes piece = segment_bytes(size, 0, segments, layout.element_bytes());
      const Bytes begin = layout.offset(block) + std::min(size, place.segment * piece);
      append(ranges, begin, begin + segment_bytes(size, place.segment, segments, layout.element_bytes()));
    }
  });
  return ranges;
}

Bytes total_bytes(const Ranges& ranges) {
  Bytes bytes = 0;
  for (const ByteRange& range : ranges) {
    bytes += range.end - range.begin;
  }
  return bytes;
}

using Parts = std::vector<Placed>;

void append(Parts& parts, const Placed& part) {
  if (!parts.empty() && parts.back().end == part.begin &&
      advanced(parts.back().at, parts.back().end - parts.back().begin) == part.at) {
    parts.back().end = part.end;
  } else {
    parts.push_back(part);
  }
}

Region region_of(const Placed& part) {
  return {part.at, part.end - part.begin};
}

bool is_somewhere(const Placed& part) {
  return part.at.memory != Memory::kNowhere;
}

/// The parts in memory, where neighbours count as one even if they are not neighbours in the layout.
std::vector<Region> regions_of(const Parts& parts) {
  std::vector<Region> regions;
  for (const Placed& part : parts) {
    if (!regions.empty() && advanced(regions.back().at, regions.back().bytes) == part.at) {
      regions.back().bytes += part.end - part.begin;
    } else {
      regions.push_back(region_of(part));
    }
  }
  return regions;
}

bool is_prefix(Collective collective) {
  return collective == Collective::kScan || collective == Collective::kExscan;
}

/// What must be known of a rank's later rounds while an earlier one is lowered. Rounds are counted from 0.
struct Outlook {
  bool receives = false;
  /// The first round after the last one in which the rank sends.
  std::size_t sends_end = 0;
  /// Where blocks pass through at no place of their own: the last round in which each byte is sent.
  IntervalMap<std::size_t> last_sends;
};

/// A rank of an alltoall has no room for all blocks; one of a reduce_scatter may pass on as many bytes as it is given,
/// but in a ring only a few at a time. Elsewhere the mirror is as large as what passes through together.
bool has_passing_blocks(Collective collective) {
  return collective == Collective::kAlltoall || collective == Collective::kReduceScatter;
}

Outlook look_ahead(const Schedule& schedule, Rank rank) {
  Outlook outlook;
  std::size_t number = 0;
  for_each_rank_round(schedule, rank, [&](const RankRound& round) {
    for (const Transfer& transfer : round.sends) {
      outlook.sends_end = number + 1;
      if (has_passing_blocks(schedule.collective)) {
        for (const ByteRange& range : ranges_of(schedule, round.place, transfer)) {
          outlook.last_sends.assign(range.begin, range.end, number);
        }
      }
    }
    outlook.receives = outlook.receives || !round.receives.empty();
    ++number;
  });
  return outlook;
}

/// Where the current values are. For scan and exscan one for the carry and one for the result.
using Values = IntervalMap<Address>;

class Lowering {
 public:
  Lowering(const Schedule& schedule, Rank rank, const ProgramOptions& options)
      : schedule_(schedule),
        rank_(rank),
        options_(options),
        layout_(rank_layout(schedule, rank, options.in_place)),
        outlook_(look_ahead(schedule, rank)) {
    program_.send_bytes = layout_.send_bytes;
    program_.receive_bytes = layout_.receive_bytes;
    for (const Placed& result : layout_.results) {
      places_of_results_.assign(result.begin, result.end, result.at);
    }
  }

  Program lower() {
    start();
    for_each_rank_round(schedule_, rank_, [&](const RankRound& round) { lower_round(round); });
    finish();
    turn_mirror_into_scratch();
    return std::move(program_);
  }

 private:
  [[nodiscard]] bool is_alltoall() const { return schedule_.collective == Collective::kAlltoall; }

  void start() {
    const Placed& initial = layout_.initial;
    const bool is_in_the_way = is_alltoall() || (schedule_.collective == Collective::kExscan && outlook_.receives);
    if (options_.in_place && is_in_the_way) {
      append_mirror(initial.begin, initial.end, initial_parts_);
      for (const Placed& part : initial_parts_) {
        const Address from{Memory::kReceive, part.begin - initial.begin};
        program_.start.push_back({{from, part.end - part.begin}, part.at});
      }
    } else {
      initial_parts_ = {initial};
    }
    for (const Placed& part : initial_parts_) {
      values_.assign(part.begin, part.end, part.at);
      if (schedule_.collective == Collective::kScan) {
        results_.assign(part.begin, part.end, part.at);
      }
    }
  }

  void lower_round(const RankRound& round) {
    Step step{.tag = kFirstTag + static_cast<int>(round.place.iteration % kTags)};
    find_sources(round);
    std::vector<Region> landings;
    landings.swap(landings_);
    for (const Transfer& transfer : round.receives) {
      if (transfer.source != transfer.target) {
        step.receives.push_back({transfer.source, {}});
        step.receives.back().where =
            receive(step, ranges_of(schedule_, round.place, transfer), transfer.pattern->combine);
      }
    }
    // Only now, so that the receives of neighbouring rounds can be under way together.
    for (const Region& landing : landings) {
      scratch_.release(landing);
    }
    send(step);
    if (!step.receives.empty() && !has_settled_) {
      settle(step);
    }
    bury();
    if (!step.sends.empty() || !step.receives.empty()) {
      program_.steps.push_back(std::move(step));
    }
    ++number_;
  }

  // Sending.

  struct Outgoing {
    Rank target = 0;
    std::vector<Region> sources;
  };

  /// What the round's sends read, before its receives change where values are.
  void find_sources(const RankRound& round) {
    outgoing_.clear();
    for (const Transfer& transfer : round.sends) {
      if (transfer.source != transfer.target) {
        const Parts parts = parts_of(values_, ranges_of(schedule_, round.place, transfer));
        if (!std::all_of(parts.begin(), parts.end(), is_somewhere)) {
          throw Error(fmt::format("{} {}: rank {} sends to rank {} what it does not have",
                                  name_of(schedule_.collective), schedule_.algorithm, rank_, transfer.target));
        }
        outgoing_.push_back({transfer.target, regions_of(parts)});
      }
    }
  }

  [[nodiscard]] bool is_being_sent(const Region& region) const {
    const auto meets = [&](const Region& source) { return meet(source, region); };
    return std::any_of(outgoing_.begin(), outgoing_.end(), [&](const Outgoing& message) {
      return std::any_of(message.sources.begin(), message.sources.end(), meets);
    });
  }

  void send(Step& step) {
    for (const Outgoing& message : outgoing_) {
      step.sends.push_back({message.target, packed(step, message.sources)});
    }
    for (const Region& region : packed_) {
      scratch_.retire(region);
    }
    packed_.clear();
  }

  Region packed(Step& step, const std::vector<Region>& sources) {
    if (sources.size() == 1) {
      return sources.front();
    }
    Bytes bytes = 0;
    for (const Region& source : sources) {
      bytes += source.bytes;
    }
    packed_.push_back(scratch_.allocate(bytes));
    Address at = packed_.back().at;
    for (const Region& source : sources) {
      step.before_sends.push_back({source, at});
      at = advanced(at, source.bytes);
    }
    return packed_.back();
  }

  // Receiving.

  /// Where the message lands; what must be done with it then is appended to `step.after`.
  Region receive(Step& step, const Ranges& ranges, Combine combine) {
    if (combine == Combine::kCopy) {
      return copy_in(step, ranges);
    }
    if (!is_prefix(schedule_.collective)) {
      return combine_in(step, values_, ranges, combine);
    }
    if (combine == Combine::kReduceLeft) {
      return prefix_from_left(step, ranges);
    }
    return carry_is_needed() ? combine_in(step, values_, ranges, combine) : land_in_scratch(total_bytes(ranges));
  }

  Region land_in_scratch(Bytes bytes) {
    landings_.push_back(scratch_.allocate(bytes));
    return landings_.back();
  }

  Region copy_in(Step& step, const Ranges& ranges) {
    const Parts parts = targets_of(ranges);
    const std::vector<Region> regions = regions_of(parts);
    for (const Placed& part : parts) {
      values_.assign(part.begin, part.end, part.at);
    }
    if (regions.size() == 1 && !is_being_sent(regions.front())) {
      return regions.front();
    }
    const Region landing = land_in_scratch(total_bytes(ranges));
    Address from = landing.at;
    for (const Region& region : regions) {
      step.after.push_back({{from, region.bytes}, region.at});
      from = advanced(from, region.bytes);
    }
    return landing;
  }

  /// Where copied blocks go: over their old value where there is one, otherwise to their home.
  Parts targets_of(const Ranges& ranges) {
    const bool all_are_results = are_results(ranges);
    Parts targets;
    for (const Placed& part : parts_of(values_, ranges)) {
      if (is_somewhere(part) && part.at.memory != Memory::kSend) {
        append(targets, part);
      } else {
        append_home(part.begin, part.end, all_are_results, targets);
      }
    }
    return targets;
  }

  /// A message that brings results only goes to the result's place; a mixed one stays together in the mirror.
  [[nodiscard]] bool are_results(const Ranges& ranges) const {
    const Parts parts = parts_of(places_of_results_, ranges);
    return std::all_of(parts.begin(), parts.end(), is_somewhere);
  }

  void append_home(Bytes begin, Bytes end, bool all_are_results, Parts& homes) {
    for (const Placed& part : parts_of(places_of_results_, {{begin, end}})) {
      if (is_somewhere(part) && (all_are_results || is_alltoall())) {
        append(homes, part);
      } else if (has_passing_blocks(schedule_.collective)) {
        append_passing(part.begin, part.end, homes);
      } else {
        append_mirror(part.begin, part.end, homes);
      }
    }
  }

  void append_mirror(Bytes begin, Bytes end, Parts& homes) {
    const Bytes turn = std::clamp(layout_.mirror_begin, begin, end);
    for (const ByteRange range : {ByteRange{begin, turn}, ByteRange{turn, end}}) {
      if (range.begin < range.end) {
        const Bytes wrapped = range.begin < layout_.mirror_begin ? schedule_.layout.total() : 0;
        const Bytes offset = range.begin - layout_.mirror_begin + wrapped;
        append(homes, {range.begin, range.end, {Memory::kMirror, offset}});
        mirror_.begin = mirror_.end == 0 ? offset : std::min(mirror_.begin, offset);
        mirror_.end = std::max(mirror_.end, offset + range.end - range.begin);
      }
    }
  }

  /// Blocks on their way have a place until they have been sent for the last time. In an alltoall each has its own; in
  /// a reduce_scatter those that came together stay together, some of them for good if they are results.
  void append_passing(Bytes begin, Bytes end, Parts& homes) {
    std::size_t last_round = number_;
    outlook_.last_sends.for_each(begin, end, [&](Bytes first, Bytes last, const std::size_t* round) {
      if (is_alltoall()) {
        pass(first, last, round == nullptr ? number_ : std::max(number_, *round), homes);
      } else if (round != nullptr) {
        last_round = std::max(last_round, *round);
      }
    });
    if (!is_alltoall()) {
      pass(begin, end, places_of_results_.meets(begin, end) ? kForGood : last_round, homes);
    }
  }

  void pass(Bytes begin, Bytes end, std::size_t last_round, Parts& homes) {
    const Placed place{begin, end, scratch_.allocate(end - begin).at};
    append(homes, place);
    passing_[last_round].push_back(place);
  }

  /// Gives back the places of blocks that have passed.
  void bury() {
    const auto passed = passing_.find(number_);
    if (passed != passing_.end()) {
      for (const Placed& place : passed->second) {
        values_.erase(place.begin, place.end);
        scratch_.retire(region_of(place));
      }
      passing_.erase(passed);
    }
  }

  static constexpr std::size_t kForGood = std::numeric_limits<std::size_t>::max();

  // Combining.

  /// Carries are combined in the mirror only: elsewhere they are results, or somebody's send buffer.
  [[nodiscard]] bool may_change(const Values& values, Address at) const {
    const bool is_carry = is_prefix(schedule_.collective) && &values == &values_;
    return is_carry ? at.memory == Memory::kMirror : at.memory != Memory::kSend;
  }

  void append_home(const Values& values, const Placed& part, bool all_are_results, Parts& homes) {
    if (is_prefix(schedule_.collective) && &values == &values_) {
      append_mirror(part.begin, part.end, homes);
    } else {
      append_home(part.begin, part.end, all_are_results, homes);
    }
  }

  Region combine_in(Step& step, Values& values, const Ranges& ranges, Combine side) {
    if (const auto home = land_at_home(step, values, ranges, side)) {
      return *home;
    }
    const Region landing = land_in_scratch(total_bytes(ranges));
    combine_all(step, values, ranges, landing.at, side);
    return landing;
  }

  /// Where the own value must not be changed, it can be the left side of an operation that changes what arrives: this
  /// saves a copy.
  std::optional<Region> land_at_home(Step& step, Values& values, const Ranges& ranges, Combine side) {
    const Parts parts = parts_of(values, ranges);
    const bool own_may_be_left = side == Combine::kReduceRight || options_.commutative;
    if (!own_may_be_left || parts.size() != 1 || may_change(values, parts.front().at)) {
      return std::nullopt;
    }
    Parts homes;
    append_home(values, parts.front(), are_results(ranges), homes);
    if (homes.size() != 1) {
      return std::nullopt;
    }
    step.after.push_back({region_of(parts.front()), homes.front().at, true});
    values.assign(homes.front().begin, homes.front().end, homes.front().at);
    return region_of(homes.front());
  }

  /// Combines with what arrived at `from`, part by part.
  void combine_all(Step& step, Values& values, const Ranges& ranges, Address from, Combine side) {
    const bool all_are_results = are_results(ranges);
    for (const Placed& part : parts_of(values, ranges)) {
      Parts targets;
      if (is_somewhere(part) && may_change(values, part.at)) {
        targets.push_back(part);
      } else {
        append_home(values, part, all_are_results, targets);
      }
      for (const Placed& target : targets) {
        const bool has_value = is_somewhere(part);
        const Address own = has_value ? advanced(part.at, target.begin - part.begin) : target.at;
        combine_part(step, {from, target.end - target.begin}, has_value, own, target.at, side);
        values.assign(target.begin, target.end, target.at);
        from = advanced(from, target.end - target.begin);
      }
    }
  }

  /// target = own op arriving, or the other way round. Leaves what arrived as it is if that is the left side.
  void combine_part(Step& step, const Region& arrived, bool has_value, Address own, Address target, Combine side) {
    if (!has_value) {
      step.after.push_back({arrived, target});
    } else if (side == Combine::kReduceLeft || options_.commutative) {
      if (own != target) {
        step.after.push_back({{own, arrived.bytes}, target});
      }
      step.after.push_back({arrived, target, true});
    } else {
      step.after.push_back({{own, arrived.bytes}, arrived.at, true});
      step.after.push_back({arrived, target});
    }
  }

  // Prefixes. A scan's carry is its result until the first message from the right; from then on it is in the mirror.

  [[nodiscard]] bool carry_is_needed() const { return number_ + 1 < outlook_.sends_end; }

  Region prefix_from_left(Step& step, const Ranges& ranges) {
    if (schedule_.collective == Collective::kScan && !has_own_carry(ranges)) {
      const Region landing = combine_in(step, results_, ranges, Combine::kReduceLeft);
      for (const Placed& part : parts_of(results_, ranges)) {
        values_.assign(part.begin, part.end, part.at);
      }
      return landing;
    }
    if (const auto result = land_first_result(ranges)) {
      combine_carry(step, ranges, result->at);
      return *result;
    }
    // The carry first: where it still is the result, it is copied before that changes.
    const Region landing = land_in_scratch(total_bytes(ranges));
    combine_carry(step, ranges, landing.at);
    combine_all(step, results_, ranges, landing.at, Combine::kReduceLeft);
    return landing;
  }

  /// True where some of it is kept apart from the result.
  [[nodiscard]] bool has_own_carry(const Ranges& ranges) const {
    const Parts parts = parts_of(values_, ranges);
    return std::any_of(parts.begin(), parts.end(),
                       [](const Placed& part) { return part.at.memory == Memory::kMirror; });
  }

  void combine_carry(Step& step, const Ranges& ranges, Address from) {
    if (carry_is_needed()) {
      combine_all(step, values_, ranges, from, Combine::kReduceLeft);
    }
  }

  /// What arrives first at a rank of an exscan is its result so far.
  std::optional<Region> land_first_result(const Ranges& ranges) {
    const Parts held = parts_of(results_, ranges);
    const Parts homes = parts_of(places_of_results_, ranges);
    if (held.size() != 1 || is_somewhere(held.front()) || homes.size() != 1) {
      return std::nullopt;
    }
    results_.assign(homes.front().begin, homes.front().end, homes.front().at);
    return region_of(homes.front());
  }

  // Beginning and end.

  /// Moves the own block of a copying collective to where it must end, or to others that it will be sent with, while
  /// the first messages are under way.
  void settle(Step& step) {
    has_settled_ = true;
    if (is_reduction(schedule_.collective)) {
      return;
    }
    for (const Placed& part : initial_parts_) {
      Parts targets;
      append_settled(part, targets);
      for (const Placed& target : targets) {
        const Region from{advanced(part.at, target.begin - part.begin), target.end - target.begin};
        if (is_still_at(target, from.at) && !is_written(step, from) && !is_written(step, region_of(target))) {
          step.meanwhile.push_back({from, target.at});
          values_.assign(target.begin, target.end, target.at);
        }
      }
    }
  }

  void append_settled(const Placed& part, Parts& targets) {
    if (schedule_.collective == Collective::kGather && layout_.results.empty()) {
      append_mirror(part.begin, part.end, targets);
      return;
    }
    for (const Placed& target : parts_of(places_of_results_, {{part.begin, part.end}})) {
      if (is_somewhere(target) && target.at != advanced(part.at, target.begin - part.begin)) {
        targets.push_back(target);
      }
    }
  }

  [[nodiscard]] bool is_still_at(const Placed& range, Address at) const {
    const Parts parts = parts_of(values_, {{range.begin, range.end}});
    return parts.size() == 1 && parts.front().at == at;
  }

  [[nodiscard]] static bool is_written(const Step& step, const Region& region) {
    return std::any_of(step.receives.begin(), step.receives.end(),
                       [&](const Message& message) { return meet(message.where, region); }) ||
           std::any_of(step.after.begin(), step.after.end(),
                       [&](const LocalOperation& operation) { return meet(operation.target(), region); });
  }

  void finish() {
    const Values& values = is_prefix(schedule_.collective) ? results_ : values_;
    for (const Placed& result : layout_.results) {
      for (const Placed& part : parts_of(values, {{result.begin, result.end}})) {
        if (!is_somewhere(part)) {
          throw Error(fmt::format("{} {}: rank {} ends without a part of its result", name_of(schedule_.collective),
                                  schedule_.algorithm, rank_));
        }
        const Address wanted = advanced(result.at, part.begin - result.begin);
        if (part.at != wanted) {
          program_.finish.push_back({region_of(part), wanted});
        }
      }
    }
  }

  /// Gives the mirror the beginning of the scratch memory.
  void turn_mirror_into_scratch() {
    const Bytes begin = mirror_.begin / ScratchPool::kAlignment * ScratchPool::kAlignment;
    const Bytes bytes = ScratchPool::aligned(mirror_.end - begin);
    program_.scratch_bytes = bytes + scratch_.bytes();
    const auto move = [&](Address& at) {
      if (at.memory == Memory::kMirror) {
        at = {Memory::kScratch, at.offset - begin};
      } else if (at.memory == Memory::kScratch) {
        at.offset += bytes;
      }
    };
    for_each_operation_list(program_, [&](std::vector<LocalOperation>& operations) {
      for (LocalOperation& operation : operations) {
        move(operation.from.at);
        move(operation.to);
      }
    });
    for (Step& step : program_.steps) {
      for (auto* messages : {&step.receives, &step.sends}) {
        for (Message& message : *messages) {
          move(message.where.at);
        }
      }
    }
  }

  /// Where the values of the ranges are.
  [[nodiscard]] static Parts parts_of(const Values& values, const Ranges& ranges) {
    Parts parts;
    for (const ByteRange& range : ranges) {
      values.for_each(range.begin, range.end, [&](Bytes begin, Bytes end, const Address* at) {
        append(parts, {begin, end, at == nullptr ? Address{Memory::kNowhere, begin} : *at});
      });
    }
    return parts;
  }

  const Schedule& schedule_;
  Rank rank_;
  ProgramOptions options_;
  RankLayout layout_;
  Outlook outlook_;
  Program program_;
  Values places_of_results_;
  Parts initial_parts_;
  Values values_;
  Values results_;      ///< scan and exscan only
  ByteRange mirror_{};  ///< the part of the mirror that is used
  ScratchPool scratch_;
  std::vector<Outgoing> outgoing_;
  std::vector<Region> landings_;          ///< of this round, in scratch memory
  std::vector<Region> packed_;            ///< for the sends of this round, in scratch memory
  std::map<std::size_t, Parts> passing_;  ///< by the round in which they are last sent
  std::size_t number_ = 0;                ///< of the round
  bool has_settled_ = false;
};

}  // namespace

Program lower(const Schedule& schedule, Rank rank, const ProgramOptions& options) {
  return Lowering(schedule, rank, options).lower();
}

}  // namespace postage
