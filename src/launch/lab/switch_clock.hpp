#pragma once

#include <postage/launch/lab_plan.hpp>

#include <cstdint>
#include <vector>

namespace postage {

/// A frame on its way: which cables it takes follows from its ends.
struct Passage {
  std::size_t from = 0;
  std::size_t to = 0;
  Bytes bytes = 0;
  std::size_t cables = 0;  ///< how many it has been given to
  Seconds reaches = 0;     ///< when its first byte could leave on the next cable
  Seconds complete = 0;    ///< when its last byte could; when it has passed its last cable, when it arrives
};

/// When frames arrive that switches pass on. Between hosts of one switch a frame takes its sender's cable and its
/// receiver's, else the cables of both switches to the core as well; switches begin to send while they still receive
/// (cut-through), so that alone it takes
///
///   sum of the cables' latencies + bytes / (least of their rates),
///
/// and frames that follow one another leave at the least rate. Cables carry one frame at a time in each direction.
class SwitchClock {
 public:
  explicit SwitchClock(const LabPlan& plan);

  /// A frame that is sent `now` on its sender's cable, in order of time for each sender. O(1).
  [[nodiscard]] Passage send(std::size_t from, std::size_t to, Bytes bytes, Seconds now);

  enum class Step : std::uint8_t {
    kOnTheWay,  ///< there are further cables
    kArrives,   ///< at `complete`
    kDropped,   ///< the cable's port was full
  };
  /// Gives a frame that has reached its next cable to that cable. Over all frames in order of `reaches`. O(1).
  [[nodiscard]] Step pass_on(Passage& passage);

  /// No frame that is sent from now on reaches its second cable sooner than in this time.
  [[nodiscard]] Seconds lookahead() const { return lookahead_; }

 private:
  /// A direction of a cable.
  struct Port {
    double per_byte = 0;
    Seconds latency = 0;
    Seconds busy_until = 0;
  };

  [[nodiscard]] std::size_t cables_between(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::size_t port_of(const Passage& passage) const;
  void occupy(Passage& passage, Port& port) const;

  std::vector<std::size_t> switch_of_;
  std::vector<Port> ports_;  ///< hosts' to their switches, hosts' from them, switches' to the core, switches' from it
  double queue_;
  Seconds lookahead_ = 0;
};

}  // namespace postage
