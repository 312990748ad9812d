#pragma once

#include <postage/launch/lab.hpp>

#include <optional>

namespace postage {

/// A frame on its way through the switch.
struct Passage {
  std::size_t from = 0;
  std::size_t to = 0;
  Bytes bytes = 0;
  Seconds reaches = 0;   ///< when its first byte could leave on the receiver's cable
  Seconds complete = 0;  ///< when its last byte could
};

/// When frames arrive that a switch passes on. A frame takes its sender's cable, the latency of both cables, and its
/// receiver's cable; the switch begins to send while it still receives (cut-through), so that alone it takes
///
///   latency_from + latency_to + bytes / min(rate_from, rate_to),
///
/// and frames that follow one another leave at the slower rate. Cables carry one frame at a time in each direction.
class SwitchClock {
 public:
  explicit SwitchClock(const LabPlan& plan);

  /// A frame that is sent `now`, in order of time for each sender. O(1).
  [[nodiscard]] Passage send(std::size_t from, std::size_t to, Bytes bytes, Seconds now);

  /// Arrival of its last byte; nothing where the receiver's port is full and drops it. In order of `reaches`. O(1).
  [[nodiscard]] std::optional<Seconds> receive(const Passage& passage);

  /// No frame that is sent from now on reaches its receiver's cable sooner than in this time.
  [[nodiscard]] Seconds lookahead() const;

 private:
  struct Port {
    double per_byte = 0;
    Seconds latency = 0;
    Seconds sending_until = 0;    ///< on the cable to the switch
    Seconds receiving_until = 0;  ///< on the cable from it
  };
  std::vector<Port> ports_;
  double queue_;
};

/// Makes a host's interface, whose frames are read from and written to the descriptor that is returned; it goes when
/// that is closed. Throws Error where the kernel cannot do that.
[[nodiscard]] int make_tap(const std::string& network_namespace);

/// Passes frames between the descriptors, one for each host, for ever.
[[noreturn]] void run_switch(const LabPlan& plan, const std::vector<int>& taps);

}  // namespace postage
