#pragma once

#include "shm/way_judge.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace postage::shm {

/// How a message outside the ring gets from memory to memory: through chunks of its sender's pool, or by the kernel.
enum class LongWay : std::uint8_t { kTwoCopies, kSingleCopy };

/// Judges the two ways of messages of about one size. Single copy has settled once the reader's caches hold a buffer
/// that it did not read before: of 1 MiB between far cores the first message takes up to 4 times as long, and the
/// second one 1.5 times. Two copies go around the pool, which is out of the caches if it has not been used for a while:
/// where the cores are near, writing then takes up to 2.7 times as long.
using LongWayJudge = WayJudge<LongWay>;
inline constexpr std::uint32_t kSingleSettles = 3;  ///< messages

/// What was judged of messages of every size, each from one power of two to the next by itself.
class WaysBySize {
 public:
  static constexpr std::uint32_t kClasses = 32;

  /// `pool_bytes` as settle() has them.
  WaysBySize(std::uint32_t seldom_trial, std::uint64_t pool_bytes)
      : seldom_trial_(seldom_trial), pool_bytes_(pool_bytes) {}

  [[nodiscard]] static std::uint32_t class_of(std::uint64_t bytes);

  /// As WayJudge has them, of messages of about this size.
  [[nodiscard]] std::optional<LongWay> next(std::uint64_t bytes) const;
  [[nodiscard]] std::uint64_t turn(std::uint64_t bytes) const;
  /// One came this way, at this cost. True where ways() has changed.
  bool observe(LongWay way, std::uint64_t bytes, double cost);
  /// Two copies have settled when messages of so many bytes in all have gone by. O(kClasses) where that is news.
  void settle(std::uint64_t pool_bytes);

  /// The ways of all sizes in one word, as a peer is told; 0 where none was judged.
  [[nodiscard]] std::uint64_t ways() const { return ways_; }
  [[nodiscard]] static std::optional<LongWay> way_in(std::uint64_t ways, std::uint64_t bytes);
  /// Forgets what was judged.
  void reset();

  [[nodiscard]] std::uint64_t trials() const { return trials_; }
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  static constexpr std::uint64_t kMostInPool = 1024;  ///< messages that matter to the judgement

  [[nodiscard]] LongWayJudge& at(std::uint64_t bytes);
  /// Messages of a class until two copies have settled.
  [[nodiscard]] std::uint32_t messages_around(std::uint32_t size_class) const;

  std::uint32_t seldom_trial_;
  std::uint64_t pool_bytes_;
  std::vector<LongWayJudge> judges_{};  ///< none before the first is needed
  std::uint64_t ways_ = 0;  ///< a bit for each class that was judged; in the upper half, those by single copy
  std::uint64_t trials_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace postage::shm
