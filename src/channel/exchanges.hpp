#pragma once

#include "channel/past_caches.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace postage::channel {

// Of two ranks that send to each other at the same time neither can read while the other one writes. Two copies then
// take each of them one copy in and one out, single copy takes each of them one copy by the kernel. Which is less
// depends on where the bytes lie: in the reader's own cache, if nobody has written them since it read them last, or in
// the other core's. Thresholds that were measured with messages in one direction do not say it, and no threshold could
// serve both; so the ways are tried, and the one that takes less is kept.

enum class LongWay : std::uint8_t { kTwoCopies, kSingleCopy };

[[nodiscard]] constexpr LongWay other(LongWay way) {
  return way == LongWay::kTwoCopies ? LongWay::kSingleCopy : LongWay::kTwoCopies;
}

/// Judges the way of messages of about one size between two ranks that exchange them, by what each way costs. It begins
/// with the way that it finds; a few messages in many are sent the other way, and fewer while that fails. It takes two
/// trials in a row that cost less to change the way: one may have been lucky.
///
/// A way has settled when it finds the caches as it leaves them itself. Single copy has the reader's caches fill with a
/// buffer that it did not read before: of 1 MiB between far cores the first message takes up to 4 times as long, and
/// the second one 1.5 times. Two copies go around the pool, which is out of the caches if it has not been used for a
/// while: where the cores are near, writing then takes up to 2.7 times as long. Messages before that do not count, and
/// trials are the rarer the longer it takes.
class ExchangeJudge {
 public:
  /// Messages before the first trial, after a trial that cost less, and between trials that keep costing more, each as
  /// a multiple of the messages that the other way needs to settle.
  static constexpr std::uint32_t kFirstTrial = 16;
  static constexpr std::uint32_t kNextTrial = 4;
  static constexpr std::uint32_t kSeldomTrial = 1024;
  static constexpr std::uint32_t kMostSeldom = 1 << 20;
  /// Of so many messages before a trial and as many at its end the least costly ones are compared.
  static constexpr std::uint32_t kLooks = 2;
  static constexpr std::uint32_t kSingleSettles = 3;  ///< messages until single copy has settled
  static constexpr std::uint32_t kChangeAfter = 2;
  /// A trial must cost less by so much.
  static constexpr double kMargin = 1.05;
  /// A message that counts and costs more by so much ends its trial.
  static constexpr double kHopeless = 1.2;
  /// After so many messages in a row that did not come as they should, the peer is taken to be unable to.
  static constexpr std::uint32_t kAstray = 32;

  /// `seldom` in place of kSeldomTrial, at least 1; two copies need `pool_messages` messages to settle, at least 1.
  ExchangeJudge(std::uint32_t seldom, std::uint32_t pool_messages);

  /// The way for the next messages; none before the first was observed.
  [[nodiscard]] std::optional<LongWay> next() const;
  /// Whether it matters what the next message costs.
  [[nodiscard]] bool looks() const;
  /// A message came this way, at this cost, of any unit, where it matters. True where next() has changed.
  bool observe(LongWay way, double cost);

  [[nodiscard]] std::uint64_t trials() const { return trials_; }
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  [[nodiscard]] LongWay current() const { return is_trial_ ? other(usual_) : usual_; }
  /// Messages until a way has settled.
  [[nodiscard]] std::uint32_t settling(LongWay way) const {
    return way == LongWay::kTwoCopies ? pool_messages_ : kSingleSettles;
  }
  void begin_trial();
  void end_trial();
  void begin_usual(std::uint32_t patience);

  std::uint32_t seldom_;
  std::uint32_t pool_messages_;
  std::uint32_t patience_;          ///< between trials that fail
  std::uint32_t until_change_ = 0;  ///< messages from the last change of next() to the next one
  std::uint32_t count_ = 0;         ///< messages since the last change of next()
  std::uint32_t astray_ = 0;
  std::uint32_t run_ = 0;  ///< trials in a row that cost less
  bool has_begun_ = false;
  bool is_trial_ = false;
  LongWay usual_ = LongWay::kTwoCopies;
  double kept_ = 0;   ///< least cost of the usual way before the trial
  double tried_ = 0;  ///< ... and of the other way in it
  std::uint64_t trials_ = 0;
  std::uint64_t changes_ = 0;
};

/// What one rank knows of long messages, those outside the ring, between it and one peer. Of two ranks the lower one
/// judges, for both directions, as a direction for itself would gain nothing; the other one is told.
class Exchanges {
 public:
  Exchanges(std::uint32_t seldom_trial, std::uint64_t pool_bytes)
      : seldom_trial_(seldom_trial), pool_bytes_(pool_bytes) {}

  void note_sent() { ++sent_; }
  /// Long messages of the peer that found their receives. Each long message carries this number of its sender.
  [[nodiscard]] std::uint32_t taken() const { return taken_; }
  /// One more has. Whether it crossed a message of this rank: its sender had taken only `seen` when it sent it.
  bool take(std::uint64_t bytes, std::uint32_t seen);
  /// Whether the last message of about this size crossed one, so that the next one probably will.
  [[nodiscard]] bool expects(std::uint64_t bytes) const { return (crossing_ >> class_of(bytes) & 1) != 0; }
  [[nodiscard]] std::uint64_t crossed() const { return crossed_; }

  /// What copying took, of the rank that judges. `written`: into shared memory, of a message of its own.
  void note_written(std::uint64_t bytes, Ticks took);
  [[nodiscard]] bool looks(std::uint64_t bytes) const;
  /// Of a message that it received. True where ways() has changed.
  bool observe(LongWay way, std::uint64_t bytes, Ticks took);

  /// The ways of all sizes, as the peer is told; 0 where none was judged.
  [[nodiscard]] std::uint64_t ways() const { return ways_; }
  [[nodiscard]] static std::optional<LongWay> way_in(std::uint64_t ways, std::uint64_t bytes);
  /// Forgets what was judged.
  void reset();

  [[nodiscard]] std::uint64_t trials() const { return trials_; }
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  static constexpr std::uint32_t kClasses = 32;
  static constexpr std::uint64_t kMostInPool = 1024;  ///< messages that matter to the judgement

  /// What one way takes of a byte, or both together.
  struct SizeClass {
    ExchangeJudge judge;
    double written = 0;  ///< ticks a byte of this rank's last message through shared memory; 0 before the first
  };

  /// Sizes from one power of two to the next.
  [[nodiscard]] static std::uint32_t class_of(std::uint64_t bytes);
  [[nodiscard]] SizeClass& at(std::uint64_t bytes);

  std::uint32_t seldom_trial_;
  std::uint64_t pool_bytes_;
  std::uint32_t sent_ = 0;
  std::uint32_t taken_ = 0;
  std::uint32_t crossing_ = 0;  ///< a bit for each class
  std::uint64_t crossed_ = 0;
  std::vector<SizeClass> classes_{};  ///< none before the first is needed
  std::uint64_t ways_ = 0;            ///< a bit for each class that was judged; in the upper half, those by single copy
  std::uint64_t trials_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace postage::channel
