#pragma once

#include "predict/timeline/event_timeline.hpp"

#include <postage/predict/explanation.hpp>

#include <vector>

namespace postage {

/// A stretch of the critical path: part of one message's life.
struct PathPiece {
  MessageNumber message = 0;
  const char* what = "";
  Seconds seconds = 0;
};

/// What EventTimeline tells of each message, for nobody.
struct NoTracer {
  void started(MessageNumber, const TransferCost&, Seconds, bool) {}
  void shared_source(MessageNumber, Seconds) {}
  void arrived(MessageNumber, Seconds, bool) {}
  void taken_in(MessageNumber, const FanDelays&, bool) {}
  void acknowledged(MessageNumber) {}
};

/// Remembers why every message started and ended when it did; then walks back from the end.
class CriticalPathTracer {
 public:
  explicit CriticalPathTracer(const MessageList& list);

  void started(MessageNumber number, const TransferCost& cost, Seconds start, bool port_decides);
  /// It arrives so much later because of other gets of the same source.
  void shared_source(MessageNumber number, Seconds later);
  void arrived(MessageNumber number, Seconds end, bool port_decides);
  void taken_in(MessageNumber number, const FanDelays& delays, bool processor_decides);
  void acknowledged(MessageNumber number);

  /// The pieces in order of time; they add up to the finish of `last`.
  [[nodiscard]] std::vector<PathPiece> path_to(Rank last) const;

 private:
  /// A moment: the end of a message's sender or receiver overhead, or of its acknowledgement, on which a processor's
  /// next action waits.
  enum class End { kSent, kReceived, kAcknowledged };
  struct Moment {
    MessageNumber message = kNoMessage;
    End end = End::kSent;
  };
  struct Record {
    TransferCost cost{};
    Seconds start = 0;
    Seconds shared_source = 0;
    Seconds end = 0;                                ///< of its arrival
    Moment start_after{};                           ///< what the sender's processor did before
    MessageNumber start_spaced_after = kNoMessage;  ///< the message whose gap decided the start instead
    Moment done_after{};                            ///< what the receiver's processor did before, where that decided
    FanDelays delays{};
    MessageNumber arrived_spaced_after =
        kNoMessage;  ///< the one before at the port, where that decided the arrival's end
  };

  [[nodiscard]] std::size_t source_of(MessageNumber number) const;
  [[nodiscard]] std::size_t target_of(MessageNumber number) const;
  /// Adds what lies between a moment and the one that it waited for, and returns that.
  [[nodiscard]] Moment before_taken_in(const Moment& end, std::vector<PathPiece>& path) const;
  [[nodiscard]] Moment before_arrival(MessageNumber number, std::vector<PathPiece>& path) const;
  [[nodiscard]] Moment before_sent(MessageNumber number, std::vector<PathPiece>& path) const;

  const MessageList& list_;
  std::vector<Record> records_;  ///< [message]
  std::vector<Moment> processor_;
  std::vector<MessageNumber> last_sent_;
  std::vector<MessageNumber> last_arrived_;
};

}  // namespace postage
