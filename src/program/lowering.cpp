#include "program/homes.hpp"

#include <postage/base/error.hpp>
#include <postage/program/program.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace postage {
namespace {

// Messages between two ranks match in order; the tag only catches mistakes early.
constexpr int kTags = 1024;
constexpr int kFirstTag = 4096;

bool is_prefix(Collective collective) {
  return collective == Collective::kScan || collective == Collective::kExscan;
}

/// What must be known of a rank's later rounds while an earlier one is lowered.
struct Outlook {
  bool receives = false;
  /// The first round after the last one in which the rank sends.
  std::size_t sends_end = 0;
};

Outlook look_ahead(const Schedule& schedule, Rank rank) {
  Outlook outlook;
  std::size_t number = 0;
  for_each_rank_round(schedule, rank, [&](const RankRound& round) {
    ++number;
    outlook.sends_end = round.sends.empty() ? outlook.sends_end : number;
    outlook.receives = outlook.receives || !round.receives.empty();
  });
  return outlook;
}

/// Gives the mirror the beginning of the scratch memory.
void turn_mirror_into_scratch(Program& program, ByteRange mirror, Bytes pool_bytes) {
  const Bytes begin = mirror.begin / ScratchPool::kAlignment * ScratchPool::kAlignment;
  const Bytes bytes = ScratchPool::aligned(mirror.end - begin);
  program.scratch_bytes = bytes + pool_bytes;
  const auto move = [&](Address& at) {
    if (at.memory == Memory::kMirror) {
      at = {Memory::kScratch, at.offset - begin};
    } else if (at.memory == Memory::kScratch) {
      at.offset += bytes;
    }
  };
  for_each_operation_list(program, [&](std::vector<LocalOperation>& operations) {
    for (LocalOperation& operation : operations) {
      move(operation.from.at);
      move(operation.to);
    }
  });
  for (Step& step : program.steps) {
    for (auto* messages : {&step.receives, &step.sends}) {
      for (Message& message : *messages) {
        move(message.where.at);
      }
    }
  }
}

class Lowering {
 public:
  Lowering(const Schedule& schedule, Rank rank, const ProgramOptions& options)
      : schedule_(schedule),
        rank_(rank),
        options_(options),
        layout_(rank_layout(schedule, rank, options.in_place)),
        outlook_(look_ahead(schedule, rank)),
        homes_(schedule, rank, layout_, scratch_) {
    program_.send_bytes = layout_.send_bytes;
    program_.receive_bytes = layout_.receive_bytes;
  }

  Program lower() {
    start();
    for_each_rank_round(schedule_, rank_, [&](const RankRound& round) { lower_round(round); });
    finish();
    turn_mirror_into_scratch(program_, homes_.mirror(), scratch_.bytes());
    return std::move(program_);
  }

 private:
  void start() {
    const Placed& initial = layout_.initial;
    const bool is_in_the_way = schedule_.collective == Collective::kAlltoall ||
                               (schedule_.collective == Collective::kExscan && outlook_.receives);
    if (options_.in_place && is_in_the_way) {
      initial_parts_ = homes_.in_mirror({initial.begin, initial.end});
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
    Step step{.tag = kFirstTag + static_cast<int>(round.position.iteration % kTags)};
    find_sources(round);
    std::vector<Region> landings;
    landings.swap(landings_);
    for (const Transfer& transfer : round.receives) {
      if (transfer.source != transfer.target) {
        step.receives.push_back({transfer.source, {}});
        step.receives.back().where =
            receive(step, ranges_of(schedule_, round.position, transfer), transfer.pattern->combine);
      }
    }
    // Only now, so that the receives of neighbouring rounds can be under way together.
    for (const Region& landing : landings) {
      scratch_.release(landing);
    }
    send(step);
    if (brings_something(step) && !has_settled_) {
      settle(step);
    }
    for (const Placed& part : homes_.passed(number_)) {
      values_.erase(part.begin, part.end);
    }
    if (!step.sends.empty() || !step.receives.empty()) {
      program_.steps.push_back(std::move(step));
    }
    ++number_;
  }

  /// Signals alone come before nothing that a block could be moved meanwhile for.
  [[nodiscard]] static bool brings_something(const Step& step) {
    return std::any_of(step.receives.begin(), step.receives.end(),
                       [](const Message& message) { return message.where.bytes > 0; });
  }

  // Sending.

  struct Outgoing {
    Rank target = 0;
    std::vector<Region> sources;
  };

  /// What the round's sends read, before its receives change where values are.
  void find_sources(const RankRound& round) {
    outgoing_.clear();
    for (auto& memory : being_sent_) {
      memory.clear();
    }
    for (const Transfer& transfer : round.sends) {
      if (transfer.source != transfer.target) {
        const Parts parts = parts_of(values_, ranges_of(schedule_, round.position, transfer));
        if (!are_somewhere(parts)) {
          throw Error(fmt::format("{} {}: rank {} sends to rank {} what it does not have",
                                  name_of(schedule_.collective), schedule_.algorithm, rank_, transfer.target));
        }
        outgoing_.push_back({transfer.target, regions_of(parts)});
        for (const Region& source : outgoing_.back().sources) {
          being_sent_[index_of(source)].assign(source.at.offset, source.at.offset + source.bytes, true);
        }
      }
    }
  }

  [[nodiscard]] static std::size_t index_of(const Region& region) { return static_cast<std::size_t>(region.at.memory); }

  [[nodiscard]] bool is_being_sent(const Region& region) const {
    return being_sent_[index_of(region)].meets(region.at.offset, region.at.offset + region.bytes);
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
    const bool all_are_results = homes_.are_results(ranges);
    Parts targets;
    for (const Placed& part : parts_of(values_, ranges)) {
      if (is_somewhere(part) && part.at.memory != Memory::kSend) {
        append(targets, part);
        continue;
      }
      for (const Placed& home : homes_.of({part.begin, part.end}, all_are_results, number_)) {
        append(targets, home);
      }
    }
    return targets;
  }

  // Combining.

  /// Carries are combined in the mirror only: elsewhere they are results, or somebody's send buffer.
  [[nodiscard]] bool may_change(const Values& values, Address at) const {
    const bool is_carry = is_prefix(schedule_.collective) && &values == &values_;
    return is_carry ? at.memory == Memory::kMirror : at.memory != Memory::kSend;
  }

  Parts homes_of(const Values& values, const Placed& part, bool all_are_results) {
    const bool is_carry = is_prefix(schedule_.collective) && &values == &values_;
    const ByteRange range{part.begin, part.end};
    return is_carry ? homes_.in_mirror(range) : homes_.of(range, all_are_results, number_);
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
    const Parts homes = homes_of(values, parts.front(), homes_.are_results(ranges));
    if (homes.size() != 1) {
      return std::nullopt;
    }
    step.after.push_back({region_of(parts.front()), homes.front().at, true});
    values.assign(homes.front().begin, homes.front().end, homes.front().at);
    return region_of(homes.front());
  }

  /// Combines with what arrived at `from`, part by part.
  void combine_all(Step& step, Values& values, const Ranges& ranges, Address from, Combine side) {
    const bool all_are_results = homes_.are_results(ranges);
    for (const Placed& part : parts_of(values, ranges)) {
      const bool has_value = is_somewhere(part);
      const bool stays = has_value && may_change(values, part.at);
      for (const Placed& target : stays ? Parts{part} : homes_of(values, part, all_are_results)) {
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
    const Parts homes = homes_.of_results(ranges);
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
      for (const Placed& target : settled(part)) {
        const Region from{advanced(part.at, target.begin - part.begin), target.end - target.begin};
        if (is_still_at(target, from.at) && !is_written(step, from) && !is_written(step, region_of(target))) {
          step.meanwhile.push_back({from, target.at});
          values_.assign(target.begin, target.end, target.at);
        }
      }
    }
  }

  Parts settled(const Placed& part) {
    const ByteRange range{part.begin, part.end};
    if (schedule_.collective == Collective::kGather && layout_.results.empty()) {
      return homes_.in_mirror(range);
    }
    Parts targets = homes_.of_results({range});
    std::erase_if(targets, [&](const Placed& target) {
      return !is_somewhere(target) || target.at == advanced(part.at, target.begin - part.begin);
    });
    return targets;
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

  const Schedule& schedule_;
  Rank rank_;
  ProgramOptions options_;
  RankLayout layout_;
  Outlook outlook_;
  ScratchPool scratch_;
  Homes homes_;
  Program program_;
  Parts initial_parts_;
  Values values_;   ///< for scan and exscan the carry
  Values results_;  ///< of scan and exscan
  std::size_t number_ = 0;
  bool has_settled_ = false;
  // Of this round:
  std::vector<Outgoing> outgoing_;
  std::array<IntervalMap<bool>, 5> being_sent_;  ///< by Memory
  std::vector<Region> landings_;                 ///< in scratch memory
  std::vector<Region> packed_;                   ///< in scratch memory
};

}  // namespace

Program lower(const Schedule& schedule, Rank rank, const ProgramOptions& options) {
  return Lowering(schedule, rank, options).lower();
}

}  // namespace postage
