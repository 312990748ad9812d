#pragma once

namespace postage {

/// Counts SIGINT and SIGTERM while one of its kind lives, instead of letting them end this process at once: it ends
/// where run_command or check() throws Interrupted, so that what was begun before is ended in order. The first one
/// begins from 0, the last one gives the signals back.
class InterruptionCounter {
 public:
  InterruptionCounter();
  ~InterruptionCounter();
  InterruptionCounter(const InterruptionCounter&) = delete;
  InterruptionCounter& operator=(const InterruptionCounter&) = delete;

  [[nodiscard]] static int count();
  /// Throws Interrupted where the count is not 0.
  static void check();
};

}  // namespace postage
