#pragma once

#include <postage/transport/transport.hpp>

#include <vector>

namespace postage {

/// One comparison of a rank's clock with rank 0's.
struct ClockReading {
  Seconds local = 0;   ///< this rank's time
  Seconds offset = 0;  ///< rank 0's time at that moment, less `local`
  Seconds error = 0;   ///< the truth is at most this far away: half the roundtrip that told it
};

/// Rank 0's time as a function of a rank's own: local + offset + drift*(local - since).
struct ClockLine {
  Seconds since = 0;
  Seconds offset = 0;
  double drift = 0;  ///< seconds per second
  [[nodiscard]] Seconds global(Seconds local) const { return local + offset + drift * (local - since); }
  [[nodiscard]] Seconds local(Seconds global) const { return since + (global - since - offset) / (1 + drift); }
};

/// Least squares with weights 1/error^2 through the readings, which are in order of time; without drift where they span
/// less than `kLeastClockSpan`, over which their errors would look like drift. `since` is the last reading's time.
/// Requires at least one.
[[nodiscard]] ClockLine fit_clock(const std::vector<ClockReading>& readings);

inline constexpr Seconds kLeastClockSpan = 0.1;

/// Largest step that 90 % of many readings in a row differ by from the next different one: the clock's tick. 0 for a
/// simulated clock.
[[nodiscard]] Seconds clock_tick(const Transport& transport);

/// Clocks of all ranks brought together: offset and drift of each against rank 0, as in S. Hunold, A. Carpen-Amarie,
/// "Reproducible MPI Benchmarking is Still Not as Easy as You Think" (IEEE TPDS 27(12), 2016). Needs nothing where they
/// have one clock.
class SynchronisedClock {
 public:
  explicit SynchronisedClock(Transport& transport) : transport_(transport) {}

  /// Compares again; all ranks call it. Rank 0 exchanges some 20 empty messages with each other rank in turn; of these
  /// the quickest roundtrip counts. The more often, and the further apart, the better the drift is known.
  void synchronise();

  [[nodiscard]] bool is_one_clock() const { return transport_.has_global_clock(); }
  [[nodiscard]] Seconds now() const { return is_one_clock() ? transport_.now() : line_.global(transport_.now()); }
  void wait_until(Seconds global) { transport_.wait_until(is_one_clock() ? global : line_.local(global)); }

  /// How far this rank's clock may be off at the last comparison: the error of the latest reading.
  [[nodiscard]] Seconds error() const { return readings_.empty() ? 0 : readings_.back().error; }
  [[nodiscard]] const ClockLine& line() const { return line_; }

 private:
  Transport& transport_;
  std::vector<ClockReading> readings_;
  ClockLine line_;
};

}  // namespace postage
