#pragma once

#include <postage/transport/transport.hpp>

#include <functional>
#include <string>
#include <vector>

namespace postage {

/// A machine whose every cost is known, for tests: ranks are threads, each with a simulated clock of its own that only
/// its own messages move, so that times do not depend on how the threads are scheduled. A message of m bytes keeps its
/// sender for `overhead`, leaves when the sender's port is free again, gap + m*per_byte after the one before, arrives
/// m*per_byte + latency after that, and keeps its receiver for `overhead`.
struct VirtualMachine {
  int ranks = 2;
  int ranks_per_host = 1;
  Seconds overhead = 1e-6;
  Seconds latency = 10e-6;
  Seconds gap = 3e-6;
  double per_byte = 1e-9;
  Seconds operation = 1e-9;  ///< what account_for charges for one
  double noise = 0;          ///< standard deviation of each latency, as a share of it
  unsigned seed = 1;
  bool is_virtual = true;
  /// Reading of each rank's clock: offset + (1 + drift)*time; all the same clock where empty.
  std::vector<Seconds> clock_offset{};
  std::vector<double> clock_drift{};
  /// Everything takes longer between two times: a machine that throttles.
  Seconds slow_from = 1e300;
  Seconds slow_until = 1e300;
  double slow_factor = 1;

  [[nodiscard]] bool one_clock() const { return clock_offset.empty(); }
  /// A roundtrip of so many bytes and back.
  [[nodiscard]] Seconds roundtrip(Bytes there, Bytes back) const {
    return 4 * overhead + 2 * latency + static_cast<double>(there + back) * per_byte;
  }
};

/// Runs `work` on every rank; rethrows what the first rank that failed threw.
void run_ranks(const VirtualMachine& machine, const std::function<void(Transport&)>& work);

}  // namespace postage
