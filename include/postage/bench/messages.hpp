#pragma once

#include <postage/base/json.hpp>
#include <postage/base/units.hpp>
#include <postage/platform/shm_thresholds.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace postage {

/// What is compared of messages inside a node: the benchmarks of paper 002 (Chai et al., sections 3 and 5.1). The
/// programs are shm, with measured thresholds; shm-no-cma, copy-in copy-out only; shm-single-copy, single copy only;
/// shm-skew-aware, of skew, with the paper's thresholds of section 4; openmpi, openmpi-no-cma and mpich; and limits.
///
///   latency, latency-rewritten   one way of a ping-pong; rewritten: the sender writes its buffer before each send
///   bandwidth                a message's share of a window of 64 from one buffer into one buffer
///   bandwidth-no-reuse       the same, each message from and into a buffer that was not used before (section 3.1)
///   bandwidth-distinct-buffers    each from a buffer of its own, which is written anew before each window and reused
///                            from window to window (section 3.2)
///   skew                     16 KiB, a producer computes 1 us a message, a consumer c2: the producer's time (c3)
///   alltoall, allgather, allreduce   schedules over shared memory, the libraries' own collectives over the others
struct MessageBenchPlan {
  std::vector<std::string> experiments{};  ///< empty: all
  std::vector<Bytes> sizes{};              ///< empty: 8 bytes to 4 MiB
  std::vector<Bytes> computations{};       ///< c2 of the skew experiment, in microseconds; empty: 1 to 80
  int repetitions = 9;                     ///< in each of which every program is started once
  int ranks = 2;
  /// Locality level of all pairs, by its name in topology.hpp: then there are as many ranks as such pairs need, each
  /// bound to its core. Empty: `ranks`, bound by their launchers.
  std::string pairs{};
  Seconds seconds = 0.03;     ///< about that long each experiment takes at each size in a repetition
  bool cache_misses = false;  ///< also simulate those of bandwidth-distinct-buffers
};

[[nodiscard]] const std::vector<std::string>& message_experiments();

/// Seconds by experiment and size; of skew by experiment and c2.
using BenchRun = std::map<std::pair<std::string, Bytes>, Seconds>;

/// Every program once, one after the other, with the thresholds that were measured just before.
struct BenchRepetition {
  std::vector<MeasuredThresholds> thresholds{};
  std::map<std::string, BenchRun> runs{};  ///< by program: shm, shm-no-cma, openmpi, ...
  Seconds line_least = 0;  ///< what a cache line takes from core to core: the least before and after programs
  Seconds line_most = 0;   ///< ... and the most
  double load = 0;         ///< processes that wanted a core, by the system's average of a minute

  /// The cores were as near to each other all the time. Under a virtual machine the host moves them:
  /// then programs of one repetition ran on different machines, and their ratios mean nothing.
  [[nodiscard]] bool is_steady() const;
  /// Such latencies differ by less from one minute to the next, and by a factor of four where the host moved a core.
  static constexpr double kSteady = 2;
};

/// Misses of data caches for one message, both processes together, as valgrind's cachegrind simulates them: what the
/// kernel copies for them is not seen.
struct CacheMisses {
  std::string program;
  Bytes bytes = 0;
  double first_level = 0;
  double last_level = 0;
};

struct MessageBench {
  MessageBenchPlan plan{};
  std::vector<BenchRepetition> repetitions{};
  std::vector<CacheMisses> cache_misses{};  ///< where the plan asks for them
};

/// A ratio's median over repetitions, and its quartiles.
struct RatioSummary {
  double median = 0;
  double lower = 0;
  double upper = 0;
  std::size_t repetitions = 0;
};

/// One experiment at one size.
struct BenchRow {
  std::string experiment;
  Bytes bytes = 0;
  std::map<std::string, Seconds> medians{};  ///< by program, over the repetitions
  std::string best_other{};                  ///< of the other programs the one with the least median; empty: none ran
  std::optional<RatioSummary> to_best{};     ///< the time of shm over that program's in the same repetition
  /// The time of shm over the least of any other program in the same repetition. Where times are of two kinds by
  /// chance, as where a host slows cores down for seconds, that sets one draw against the luckiest of several.
  std::optional<RatioSummary> to_least{};
  /// The time of shm over a limit: of short latencies, over what a cache line takes each way; of long messages in
  /// windows, over a bare process_vm_readv; of skew, over shm-no-cma.
  std::optional<RatioSummary> to_limit{};
};

/// Runs the plan on this machine; `tell` hears of each repetition. Open MPI and MPICH take part where they are
/// installed. Throws UsageError for unknown experiments and for a plan that is empty or for an odd number of ranks,
/// Error where the program over shared memory fails, or where valgrind is asked for and not installed.
[[nodiscard]] MessageBench run_message_bench(const MessageBenchPlan& plan,
                                             const std::function<void(const std::string&)>& tell = {});

/// The steady repetitions, those of cores that were about as far from each other together, nearest first: times
/// measured before and after the host of a virtual machine moved its cores must not be mixed. Where no repetition was
/// steady, all together.
[[nodiscard]] std::vector<MessageBench> by_line_time(const MessageBench& bench);

/// What a cache line took in these repetitions: the median.
[[nodiscard]] Seconds line_time_of(const MessageBench& bench);

/// Over all repetitions, in the order of the plan's experiments and sizes.
[[nodiscard]] std::vector<BenchRow> summarise(const MessageBench& bench);

inline constexpr int kMessageBenchVersion = 2;
inline constexpr const char* kMessageBenchFormat = "postage-message-bench";

/// Every repetition's times and the summary; share/message-bench.schema.json describes it.
[[nodiscard]] Json to_json(const MessageBench& bench);

/// Tables in Markdown.
[[nodiscard]] std::string markdown_of(const MessageBench& bench);

/// SVG files by name: one for each experiment, times over sizes, of the distance with the most repetitions.
[[nodiscard]] std::map<std::string, std::string> drawings_of(const MessageBench& bench);

}  // namespace postage
