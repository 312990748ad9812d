#pragma once

#include <memory>

namespace postage {

class InterruptionCounter;

/// While one lives, SIGINT and SIGTERM end this process only where run_command or check() throws Interrupted, so that
/// what was begun between commands is ended in order.
class HeldInterruptions {
 public:
  HeldInterruptions();
  ~HeldInterruptions();
  HeldInterruptions(const HeldInterruptions&) = delete;
  HeldInterruptions& operator=(const HeldInterruptions&) = delete;

  /// Throws Interrupted where there was a signal since the first one that lives began.
  static void check();

 private:
  std::unique_ptr<InterruptionCounter> counter_;
};

}  // namespace postage
