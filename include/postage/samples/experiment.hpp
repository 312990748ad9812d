#pragma once

#include <postage/base/units.hpp>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// What is timed. In each, one rank leads: it says how often to repeat, takes the times and keeps them.
///
/// Between the source, which leads, and one or two targets:
enum class ExperimentKind {
  /// The source sends `bytes`, the target replies `reply_bytes`. Time at the source from before the send to after the
  /// receive.
  kRoundtrip,
  /// Like a roundtrip with equal replies, of messages in memory that lies apart: runs of `run_bytes` bytes, `stride`
  /// bytes from start to start, sent and received `by_hand` (packed into a buffer, then unpacked, both timed) or by the
  /// transport's own datatypes. `bytes` counts what is sent, not the memory between.
  kStridedRoundtrip,
  /// Like a roundtrip with equal replies, but each rank passes on what it received: bytes that its own processor wrote
  /// since they were last sent, and that another one may have to take out of its cache.
  kEcho,
  /// PRTT(n, d, s) of Kielmann et al.: the source starts to send n = `messages` messages of s = `bytes` bytes, waiting
  /// d = `delay` seconds between each two; the target replies with 0 bytes when it has received all. Time at the source
  /// from before the first send to after the reply. With n = 1 it is the roundtrip with an empty reply, and is measured
  /// as that. Large n and no delay saturate the link.
  kTrain,
  /// The source sends `messages` messages one after another. Time that the sends keep it, over their number.
  kSendOverhead,
  /// The target sends `bytes` to the source, which posts the receive only after `delay`, when the message has come if
  /// it
  /// can without the receiver's help. Time that the receive keeps the source.
  kDelayedReceive,
  /// The source sends `bytes` to the target, then to the second target, and receives 0 bytes from each, in this order.
  /// Time at the source.
  kOneToTwo,

  /// Within a group, `members`, which start together (see TimingMethod):
  ///
  /// tau = members/2 pairs (0, 1), (2, 3), ... at once, each a roundtrip of `bytes`, equal both ways. Time until the
  /// slowest pair is done: a roundtrip's time when tau share the channel.
  kConcurrentPairs,
  /// Each of tau = members ranks sends `bytes` to the next one, the last to the first, and receives from the one before
  /// at the same time. Time until the slowest is done.
  kRing,
  /// All send `bytes` to the first at once. Time at the first, until it has received all.
  kIncast,
  /// The first sends `bytes` to all others at once. Mean over the others of the time until each has received.
  kOutcast,
  /// The pairs (0, 1), (2, 3), ... exchange `bytes`, both directions at once: n = members messages cross. Mean time
  /// over
  /// all members.
  kButterfly,
  /// Two ranks exchange `bytes` once, beginning together, where those of a butterfly follow one another. Time until the
  /// slower one is done.
  kSynchronisedExchange,
  /// The first of two ranks sends `bytes` to the second, which sends as much back, once, beginning together, where
  /// those of a roundtrip follow one another. Time until the slower one is done.
  kAnswer,

  /// Among all ranks, with a root:
  ///
  /// The root sends `bytes` to each other rank, in the order of ranks, one blocking send after the other.
  kScatter,
  /// Each other rank sends `bytes` to the root, which receives them in the order of ranks.
  kGather,
  /// A collective, run by postage's executor.
  kCollective,

  /// At one rank: copying `bytes` from the memory that messages are sent from to that where they are received, as the
  /// executor does with a rank's own block. Time of one pass.
  kCopy,
  /// At one rank: what postage's executor takes by itself for a message of `bytes` that is sent, begun as collectives
  /// are: after a pause. Over a transport on which nothing happens.
  kProgram,
  /// At one rank: adding `bytes` of double precision numbers to as many others, by the function that timed collectives
  /// reduce with. Time of one pass.
  kReduction,
};

[[nodiscard]] std::string_view name_of(ExperimentKind kind);
/// Throws UsageError listing the valid ones.
[[nodiscard]] ExperimentKind parse_experiment_kind(std::string_view name);

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

/// One experiment. Fields that its kind does not use keep their defaults and are not written to files.
struct Experiment {
  ExperimentKind kind = ExperimentKind::kRoundtrip;
  std::int32_t source = 0;
  std::int32_t target = 0;
  std::int32_t second_target = 0;
  Bytes bytes = 0;
  Bytes reply_bytes = 0;
  int messages = 1;
  Seconds delay = 0;
  Bytes run_bytes = 0;
  Bytes stride = 0;
  bool by_hand = false;
  std::vector<std::int32_t> members{};
  std::string channel{};  ///< over which a group's messages go
  std::string collective{};
  std::string algorithm{};
  Bytes segment_bytes = 0;
  std::int32_t root = 0;
  std::int32_t ranks = 0;
  /// How a group was timed: "root", "maximum", "global-clock" (all have one clock) or "synchronised-clocks".
  std::string method{};
  auto operator<=>(const Experiment&) const = default;
};

/// True for experiments between one source and one target.
[[nodiscard]] bool is_between_two(ExperimentKind kind);
/// True for those that list their members.
[[nodiscard]] bool has_members(ExperimentKind kind);
/// True for those in which all ranks take part.
[[nodiscard]] bool is_of_all(ExperimentKind kind);
/// True where it is made at `source`, without messages.
[[nodiscard]] bool is_on_one_rank(ExperimentKind kind);

/// Ranks that take part, in the order of their roles; the first one leads.
[[nodiscard]] std::vector<std::int32_t> participants(const Experiment& experiment);

/// "roundtrip 0-1", "bcast binomial, segments of 8K", "ring of 4 over shared-cache": without sizes.
[[nodiscard]] std::string describe(const Experiment& experiment);

}  // namespace postage
