#pragma once

#include "measure/clock_sync.hpp"

#include <postage/samples/samples.hpp>
#include <postage/schedule/schedule.hpp>
#include <postage/transport/executor.hpp>

#include <map>
#include <memory>
#include <string>

namespace postage {

/// Memory for messages, kept from one experiment to the next.
class Workspace {
 public:
  /// At least so many bytes, whatever they hold.
  [[nodiscard]] std::span<std::byte> out(Bytes bytes) { return grown(out_, bytes); }
  [[nodiscard]] std::span<std::byte> in(Bytes bytes) { return grown(in_, bytes); }
  [[nodiscard]] std::span<std::byte> packed(Bytes bytes) { return grown(packed_, bytes); }

 private:
  /// Throws Error where there is no memory for it.
  static std::span<std::byte> grown(std::vector<std::byte>& memory, Bytes bytes);

  std::vector<std::byte> out_;
  std::vector<std::byte> in_;
  std::vector<std::byte> packed_;
};

/// A collective ready to run, compiled once: that takes longer than running it.
struct CompiledCollective {
  Schedule schedule{};
  std::unique_ptr<RankProgram> program{};
  bool is_checked = false;
};

/// What the tasks of one rank share during a campaign.
struct TaskContext {
  Transport& transport;
  SynchronisedClock& clock;
  TimingMethod timing;
  /// Of each rank; empty where ranks share cores: these take turns, and their messages tell nothing of the host.
  std::vector<int> hosts{};
  Workspace workspace{};
  /// By "COLLECTIVE:ALGORITHM:...".
  std::map<std::string, CompiledCollective, std::less<>> programs{};
};

/// So many samples, each of so many repetitions, after those of uncounted_samples().
struct Batch {
  std::int32_t samples = 0;
  std::int32_t inner = 1;
};

/// One sample more comes first and does not count: it finds the others still busy with the news of the batch. None
/// where it is simulated: once the others are ready it is as long as any.
[[nodiscard]] inline std::int32_t uncounted_samples(const Transport& transport) {
  return transport.is_virtual() ? 0 : 1;
}

/// Times of a batch, each that of one repetition.
struct BatchTimes {
  std::vector<double> values;
  std::size_t late = 0;    ///< repetitions left out since some rank was not ready
  Seconds processors = 0;  ///< mean of what fixed work took the ranks just after; 0 where that is not known
  Seconds link = 0;        ///< what a small message took from one rank to the next just after; 0 where not known
};

/// One rank's part in an experiment.
class Task {
 public:
  virtual ~Task() = default;
  /// The first participant's.
  [[nodiscard]] virtual BatchTimes lead(Batch batch) = 0;
  /// Everybody else's, with the same batch.
  virtual void follow(Batch batch) = 0;
};

}  // namespace postage
