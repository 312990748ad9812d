#pragma once

#include "channel/past_caches.hpp"
#include "channel/way_judge.hpp"

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

/// Judges messages of about one size. Single copy has settled once the reader's caches hold a buffer that it did not
/// read before: of 1 MiB between far cores the first message takes up to 4 times as long, and the second one 1.5 times.
/// Two copies go around the pool, which is out of the caches if it has not been used for a while: where the cores are
/// near, writing then takes up to 2.7 times as long.
using ExchangeJudge = WayJudge<LongWay>;
inline constexpr std::uint32_t kSingleSettles = 3;  ///< messages

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
