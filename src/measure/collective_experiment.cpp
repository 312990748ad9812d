#include "measure/collective_experiment.hpp"

#include "measure/collective_data.hpp"
#include "measure/repetition.hpp"

#include <postage/base/error.hpp>
#include <postage/transport/executor.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

constexpr int kStartTag = 11;
constexpr int kEndTag = 12;

/// A moment at which all ranks are to start: negative ends the experiment, positive is a global clock's time.
constexpr Seconds kStop = -1;
/// First try of how long the news of a start needs; doubled whenever a rank heard of it too late.
constexpr Seconds kFirstLead = 20e-6;

struct End {
  Seconds time = 0;
  bool late = false;
};

template <typename Value>
void send_value(Transport& transport, const Value& value, Rank target, int tag) {
  transport.send(std::as_bytes(std::span(&value, 1)), target, tag);
}

template <typename Value>
Value receive_value(Transport& transport, Rank source, int tag) {
  Value value{};
  transport.receive(std::as_writable_bytes(std::span(&value, 1)), source, tag);
  return value;
}

/// One rank's side of a timed collective.
class CollectiveTimer {
 public:
  CollectiveTimer(Transport& transport, const Schedule& schedule, Bytes element_bytes)
      : transport_(transport),
        program_(schedule, transport.rank(), {.commutative = true}),
        data_(schedule, element_bytes, transport.rank(), program_),
        sum_(data_.sum()),
        global_clock_(transport.has_global_clock()) {}

  /// Runs once and throws Error where a wrong byte arrives.
  void check() {
    program_.run(transport_, data_.buffers(), sum_);
    data_.check();
  }

  /// One repetition that starts at `start` (or after a barrier); false where this rank could not be in time.
  End run_once(Seconds start) {
    End end;
    if (global_clock_) {
      end.late = transport_.now() > start;
      transport_.wait_until(start);
    } else {
      transport_.barrier();
      start = transport_.now();
    }
    program_.run(transport_, data_.buffers(), sum_);
    end.time = transport_.now() - start;
    return end;
  }

  [[nodiscard]] bool global_clock() const { return global_clock_; }

 private:
  Transport& transport_;
  RankProgram program_;
  CollectiveData data_;
  Reduction sum_;
  bool global_clock_;
};

/// Rank 0's repetition: announces the start, takes part, collects the ends. Nothing where a rank was late.
class Conductor {
 public:
  Conductor(Transport& transport, CollectiveTimer& timer) : transport_(transport), timer_(timer) {}

  Seconds run_once() {
    for (;;) {
      const Seconds start = transport_.now() + lead_;
      announce(start);
      const End slowest = collect(timer_.run_once(start));
      if (!slowest.late) {
        return slowest.time;
      }
      lead_ *= 2;
      if (lead_ > 10) {
        throw Error("the ranks' clocks differ by more than 10 s, so that they cannot start a collective together");
      }
    }
  }

  void announce(Seconds start) {
    for (Rank rank = 1; rank < transport_.size(); ++rank) {
      send_value(transport_, start, rank, kStartTag);
    }
  }

 private:
  End collect(End slowest) {
    for (Rank rank = 1; rank < transport_.size(); ++rank) {
      const auto end = receive_value<End>(transport_, rank, kEndTag);
      slowest.time = std::max(slowest.time, end.time);
      slowest.late = slowest.late || end.late;
    }
    return slowest;
  }

  Transport& transport_;
  CollectiveTimer& timer_;
  Seconds lead_ = kFirstLead;
};

void take_part(Transport& transport, CollectiveTimer& timer) {
  for (;;) {
    const auto start = receive_value<Seconds>(transport, 0, kStartTag);
    if (start == kStop) {
      return;
    }
    send_value(transport, timer.run_once(start), 0, kEndTag);
  }
}

}  // namespace

Measurement run_collective_experiment(Transport& transport, const CollectiveRun& run, const MeasureSettings& settings,
                                      Seconds allowance) {
  const Bytes element_bytes = element_bytes_for(run.collective, run.bytes);
  const Schedule schedule =
      build_schedule(find_algorithm(run.collective, run.algorithm), {.ranks = transport.size(),
                                                                     .root = run.root,
                                                                     .bytes = run.bytes,
                                                                     .element_bytes = element_bytes,
                                                                     .segment_bytes = run.segment_bytes});
  CollectiveTimer timer(transport, schedule, element_bytes);
  timer.check();
  if (transport.rank() != 0) {
    take_part(transport, timer);
    return {};
  }
  const Experiment experiment{.kind = "collective",
                              .bytes = run.bytes,
                              .collective = std::string(name_of(run.collective)),
                              .algorithm = run.algorithm,
                              .segment_bytes = run.segment_bytes,
                              .root = run.root,
                              .ranks = transport.size(),
                              .method = timer.global_clock() ? "global-clock" : "barrier"};
  Conductor conductor(transport, timer);
  for (int i = 0; i < std::max(settings.warm_up, 1); ++i) {
    static_cast<void>(conductor.run_once());
  }
  Repetition repetition(settings, allowance);
  for (std::int32_t batch = repetition.next_batch(); batch > 0; batch = repetition.next_batch()) {
    for (std::int32_t i = 0; i < batch; ++i) {
      repetition.add(conductor.run_once());
    }
  }
  conductor.announce(kStop);
  return repetition.measurement(experiment);
}

}  // namespace postage
