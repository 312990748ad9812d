#pragma once

#include "predict/timeline/engine.hpp"

#include <postage/predict/explanation.hpp>

#include <vector>

namespace postage {

/// A stretch of the critical path: part of one message's life.
struct PathPiece {
  std::size_t message = 0;
  const char* what = "";
  Seconds seconds = 0;
};

/// Remembers why every message started and ended when it did; then walks back from the end.
class CriticalPathTracer {
 public:
  explicit CriticalPathTracer(Rank ranks);

  void started(const RoundPosition& position, const Flight& flight, bool port_decides);
  void finished(const Flight& flight, Seconds arrived, bool port_decides, bool processor_decides, Seconds done);

  struct Message {
    Flight flight;
    RoundPosition position;
    Seconds arrived = 0;
  };
  [[nodiscard]] const Message& message(std::size_t number) const { return messages_[number].message; }

  /// The pieces in order of time; they add up to the finish of `last`.
  [[nodiscard]] std::vector<PathPiece> path_to(Rank last) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// A moment: the end of a message's sender or receiver overhead, on which a processor's next action waits.
  struct Moment {
    std::size_t message = kNone;
    bool received = false;
  };
  struct Record {
    Message message;
    Moment start_after;                        ///< what the sender's processor did before
    std::size_t start_spaced_after = kNone;    ///< the message whose gap decided the start instead
    Moment done_after;                         ///< what the receiver's processor did before, where that decided
    std::size_t arrived_spaced_after = kNone;  ///< the message whose gap decided the arrival instead
  };

  std::vector<Record> messages_;
  std::vector<Moment> processor_;
  std::vector<std::size_t> last_sent_;
  std::vector<std::size_t> last_received_;
};

}  // namespace postage
