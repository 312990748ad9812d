#pragma once

#include <postage/base/units.hpp>
#include <postage/samples/experiment_kind.hpp>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// How an experiment of more than two or three ranks is timed.
enum class TimingMethod {
  /// After a barrier, the root's or first member's own time. Cheap; says nothing of those that end later.
  kRoot,
  /// After a barrier, the longest of the ranks' own times. A rank that leaves the barrier late shortens its time.
  kMaximum,
  /// All start at one moment on clocks whose offset and drift were estimated, or on one clock where they have one; time
  /// from that moment to the end of the slowest. Repetitions in which some rank was not in time are left out.
  kClocks,
};

/// "root", "maximum" or "clocks".
[[nodiscard]] std::string_view name_of(TimingMethod method);
/// Throws UsageError listing the valid ones.
[[nodiscard]] TimingMethod parse_timing_method(std::string_view name);

/// One experiment: the first of its participants leads it, that is takes and keeps the times. Fields that its kind does
/// not use keep their defaults and are not written to files.
struct Experiment {
  ExperimentKind kind = ExperimentKind::kRoundtrip;
  // Of experiments of one to three ranks.
  std::int32_t source = 0;
  std::int32_t target = -1;
  std::int32_t second_target = -1;
  Bytes bytes = 0;
  Bytes reply_bytes = 0;
  int messages = 1;
  Seconds delay = 0;  ///< between two messages, or before a receive
  // Of messages whose bytes lie apart: runs of run_bytes, `stride` bytes from start to start, packed by hand or by the
  // transport's datatypes.
  Bytes run_bytes = 0;
  Bytes stride = 0;
  bool by_hand = false;
  // Of groups that start together.
  std::vector<std::int32_t> members{};
  std::string channel{};  ///< over which a group's messages go
  // Of all ranks.
  std::string collective{};
  std::string algorithm{};
  Bytes segment_bytes = 0;
  std::int32_t root = 0;
  std::int32_t ranks = 0;
  std::int64_t steps = 0;  ///< of the schedule, after which a collective stops; 0 for all
  /// How a group was timed: "root", "maximum", "global-clock" (all have one clock) or "synchronised-clocks".
  std::string method{};
  auto operator<=>(const Experiment&) const = default;
};

/// True for experiments between one source and one target.
[[nodiscard]] bool is_between_two(const Experiment& experiment);

/// Ranks that take part, in the order of their roles; the first one leads.
[[nodiscard]] std::vector<std::int32_t> participants(const Experiment& experiment);

/// "roundtrip 0-1", "bcast binomial, segments of 8K", "ring of 4 over shared-cache": without sizes.
[[nodiscard]] std::string describe(const Experiment& experiment);

}  // namespace postage
