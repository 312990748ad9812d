#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace postage::shm {

/// The other one of two ways, numbered 0 and 1.
template <typename Way>
[[nodiscard]] constexpr Way other(Way way) {
  return static_cast<Way>(1 - static_cast<int>(way));
}

/// Judges which of two ways messages should take, by what each way costs. It begins with the way that it finds; a few
/// messages in many are sent the other way, and fewer while that fails. It takes two trials in a row that cost less to
/// change the way: one may have been lucky.
///
/// A way has settled when it finds the caches as it leaves them itself. Messages before that do not count, and trials
/// are the rarer the longer it takes and the more they cost. `Way` is an enumeration of two, numbered 0 and 1.
template <typename Way>
class WayJudge {
 public:
  /// Messages before the first trial, after a trial that cost less, and between trials that keep costing more, each as
  /// a multiple of the messages that the other way needs to settle.
  static constexpr std::uint32_t kFirstTrial = 4;
  static constexpr std::uint32_t kNextTrial = 1;
  static constexpr std::uint32_t kMostSeldom = 1 << 20;
  /// Of so many messages before a trial and as many at its end the least costly ones are compared.
  static constexpr std::uint32_t kLooks = 2;
  static constexpr std::uint32_t kChangeAfter = 2;
  /// A trial must cost less by so much.
  static constexpr double kMargin = 1.05;
  /// A message that counts and costs more by so much ends its trial.
  static constexpr double kHopeless = 1.2;
  /// After a trial that failed there is none until what it cost beyond the usual way is this share of what messages
  /// have cost since. More than kMostDear times as much was not the way's fault.
  static constexpr double kRegret = 0.02;
  static constexpr double kMostDear = 2;
  /// After so many messages in a row that did not come as they should, the peer is taken to be unable to.
  static constexpr std::uint32_t kAstray = 32;
  /// So many messages in a row, each so much dearer, are no chance.
  static constexpr std::uint32_t kDearer = 4;
  static constexpr double kMuchDearer = 1.4;

  /// `seldom` as ShmOptions::seldom_trial; each way needs so many messages to settle, at least 1.
  WayJudge(std::uint32_t seldom, std::array<std::uint32_t, 2> settling);

  /// The way for the next messages; none before the first was observed.
  [[nodiscard]] std::optional<Way> next() const;
  /// A message came this way, at this cost, of any unit. True where next() has changed. If several in a row by the
  /// usual way, once that has settled, cost much more than it did when it was last compared, the program does something
  /// else now, and the other way is tried soon.
  bool observe(Way way, double cost);
  /// From the next trial or its end on `way` needs so many messages to settle, at least 1.
  void settle(Way way, std::uint32_t messages);

  /// Beginnings and ends of trials so far: what a message costs whose way was chosen in another turn says nothing.
  [[nodiscard]] std::uint64_t turn() const { return 2 * trials_ - (is_trial_ ? 1 : 0); }
  [[nodiscard]] std::uint64_t trials() const { return trials_; }
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  [[nodiscard]] Way current() const { return is_trial_ ? other(usual_) : usual_; }
  /// Messages until a way has settled.
  [[nodiscard]] std::uint32_t settling(Way way) const { return settling_[static_cast<std::size_t>(way)]; }
  /// Whether the next message's cost is compared.
  [[nodiscard]] bool looks() const { return count_ + kLooks >= until_change_; }
  [[nodiscard]] bool has_become_dear(double cost);
  void begin_trial();
  void end_trial();
  [[nodiscard]] std::uint32_t patience_after_failure() const;
  void begin_usual(std::uint32_t patience);

  std::uint32_t seldom_;
  std::array<std::uint32_t, 2> settling_;
  std::uint32_t patience_;          ///< between trials that fail
  std::uint32_t until_change_ = 0;  ///< messages from the last change of next() to the next one
  std::uint32_t count_ = 0;         ///< messages since the last change of next()
  std::uint32_t astray_ = 0;
  std::uint32_t run_ = 0;  ///< trials in a row that cost less
  bool has_begun_ = false;
  bool is_trial_ = false;
  Way usual_{};
  double compared_ = 0;       ///< what the usual way cost when a trial ended, 0 before
  std::uint32_t dearer_ = 0;  ///< messages in a row that cost much more
  double kept_ = 0;           ///< least cost of the usual way before the trial
  double tried_ = 0;          ///< ... and of the other way in it
  std::uint64_t trials_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace postage::shm
