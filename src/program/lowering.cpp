#include "program/receive_lowering.hpp"
#include "program/staging.hpp"

#include <postage/base/error.hpp>
#include <postage/program/program.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

constexpr int kTags = 1024;
constexpr int kFirstTag = 4096;

/// The same at both ends of a message, and different in rounds that follow one another. Messages between two ranks
/// match in order, whatever their tags; but SimGrid 3.32 looks for a receive of a message below its threshold
/// (async-small-thresh) among those of larger ones first, so that the later one of two receives of one tag may take it.
int tag_of(const RoundPosition& position) {
  const Index stage = static_cast<Index>(position.stage);
  const Index round = static_cast<Index>(position.round);
  return kFirstTag + static_cast<int>((position.iteration + 7 * position.segment + 61 * round + 367 * stage) % kTags);
}

/// Writes a rank's program, round after round.
class Lowering {
 public:
  Lowering(const Schedule& schedule, Rank rank, const ProgramOptions& options)
      : state_(schedule, rank, options), sends_(state_), receives_(state_, sends_) {}

  Program lower() {
    start();
    for_each_rank_round(state_.schedule, state_.rank, [&](const RankRound& round) { lower_round(round); });
    finish();
    move_staging_to_scratch(state_.program, state_.buffers.staging(), state_.scratch.bytes(),
                            scratch_alignment(state_.options.strides));
    state_.program.calls = state_.schedule.calls;
    return std::move(state_.program);
  }

 private:
  void start() {
    const IovecSegment& initial = state_.layout.initial;
    if (is_overwritten_in_place()) {
      state_.initial = state_.buffers.in_staging({initial.begin, initial.end});
      for (const IovecSegment& segment : state_.initial) {
        const Address from{Memory::kReceive, segment.begin - initial.begin};
        state_.program.start.push_back({{from, segment.end - segment.begin}, segment.at});
      }
    } else {
      state_.initial = {initial};
    }
    for (const IovecSegment& segment : state_.initial) {
      state_.values.assign(segment.begin, segment.end, segment.at);
      if (state_.schedule.collective == Collective::kScan) {
        state_.results.assign(segment.begin, segment.end, segment.at);
      }
    }
  }

  /// True where messages arrive over the own contribution before it has been sent.
  [[nodiscard]] bool is_overwritten_in_place() const {
    const Collective collective = state_.schedule.collective;
    return state_.options.in_place &&
           (collective == Collective::kAlltoall || (collective == Collective::kExscan && state_.outlook.receives));
  }

  void lower_round(const RankRound& round) {
    Step step{.tag = tag_of(round.position)};
    sends_.find_sources(round);
    receives_.append_receives(step, round);
    sends_.append_sends(step);
    if (receives_bytes(step) && !own_block_is_settled_) {
      settle_own_block(step);
    }
    for (const IovecSegment& segment : state_.buffers.passed(state_.round)) {
      state_.values.erase(segment.begin, segment.end);
    }
    if (!step.sends.empty() || !step.receives.empty()) {
      state_.program.steps.push_back(std::move(step));
    }
    ++state_.round;
  }

  /// False for empty messages alone: no time passes under way in which a block could be moved.
  [[nodiscard]] static bool receives_bytes(const Step& step) {
    return std::any_of(step.receives.begin(), step.receives.end(),
                       [](const Message& message) { return message.where.bytes > 0; });
  }

  /// Moves the own block of a copying collective to where it must end, or to others that it will be sent with, while
  /// the first messages are under way.
  void settle_own_block(Step& step) {
    own_block_is_settled_ = true;
    if (is_reduction(state_.schedule.collective)) {
      return;
    }
    for (const IovecSegment& segment : state_.initial) {
      for (const IovecSegment& target : settled(segment)) {
        const Region from{advanced(segment.at, target.begin - segment.begin), target.end - target.begin};
        if (is_still_at(target, from.at) && !is_written(step, from) && !is_written(step, region_of(target))) {
          step.meanwhile.push_back({from, target.at});
          state_.values.assign(target.begin, target.end, target.at);
        }
      }
    }
  }

  IovecSegments settled(const IovecSegment& segment) {
    const ByteRange range{segment.begin, segment.end};
    if (state_.schedule.collective == Collective::kGather && state_.layout.results.empty()) {
      return state_.buffers.in_staging(range);
    }
    IovecSegments targets = state_.buffers.of_results({range});
    std::erase_if(targets, [&](const IovecSegment& target) {
      return !is_assigned(target) || target.at == advanced(segment.at, target.begin - segment.begin);
    });
    return targets;
  }

  [[nodiscard]] bool is_still_at(const IovecSegment& range, Address at) const {
    const IovecSegments segments = iovec_of(state_.values, {{range.begin, range.end}});
    return segments.size() == 1 && segments.front().at == at;
  }

  [[nodiscard]] static bool is_written(const Step& step, const Region& region) {
    return std::any_of(step.receives.begin(), step.receives.end(),
                       [&](const Message& message) { return meet(message.where, region); }) ||
           std::any_of(step.after.begin(), step.after.end(),
                       [&](const LocalOperation& operation) { return meet(operation.target(), region); });
  }

  void finish() {
    const Values& values = state_.is_prefix() ? state_.results : state_.values;
    for (const IovecSegment& result : state_.layout.results) {
      for (const IovecSegment& segment : iovec_of(values, {{result.begin, result.end}})) {
        if (!is_assigned(segment) && state_.schedule.is_cut) {
          continue;
        }
        if (!is_assigned(segment)) {
          throw Error(fmt::format("{} {}: rank {} ends without a part of its result",
                                  name_of(state_.schedule.collective), state_.schedule.algorithm, state_.rank));
        }
        const Address wanted = advanced(result.at, segment.begin - result.begin);
        if (segment.at != wanted) {
          state_.program.finish.push_back({region_of(segment), wanted});
        }
      }
    }
  }

  LoweringState state_;
  SendLowering sends_;
  ReceiveLowering receives_;
  bool own_block_is_settled_ = false;
};

}  // namespace

Program lower(const Schedule& schedule, Rank rank, const ProgramOptions& options) {
  return Lowering(schedule, rank, options).lower();
}

}  // namespace postage
