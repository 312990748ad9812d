#pragma once

#include "shm/layout.hpp"
#include "shm/past_caches.hpp"
#include "shm/way_judge.hpp"

#include <cstdint>
#include <deque>

namespace postage::shm {

/// What messages go around in: all of the pool, of which the next chunk is the one that was used longest ago, so that
/// its lines have left the receiver's cache and writing them does not wait for it; or the first few chunks of it, whose
/// lines are still in both cores' caches. Which is faster to write depends on how the machine's caches are joined:
/// chunks used lately took 0.6 times as long as rested ones on an Intel Xeon (Cascade Lake), and 2 to 3 times on an AMD
/// EPYC.
enum class PoolPart : std::uint8_t { kWhole, kFew };

/// A rank's own chunks. It takes them; whoever received what was in one gives it back by its flag.
class ChunkPool {
 public:
  static constexpr std::uint64_t kFewBytes = 512 << 10;  ///< in a core's own cache on the machines seen

  /// `seldom` as ShmOptions::seldom_trial.
  ChunkPool(const Layout& layout, std::int32_t owner, std::uint32_t seldom);

  /// Whether so many chunks can be taken now. O(chunks out), O(1) where enough are known to be free.
  [[nodiscard]] bool has(std::size_t count);
  /// Takes one, marked as busy; false where none is free.
  [[nodiscard]] bool take(std::uint32_t& chunk);
  /// The chunk to write in place of one that was taken before: one of the few, where these are used and one of them has
  /// come back. O(1).
  [[nodiscard]] std::uint32_t rather_than(std::uint32_t chunk);
  /// What it took to write so much into a chunk, by which the part in use is judged.
  void note_written(std::uint64_t bytes, Ticks took);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] PoolPart part() const { return part_; }
  /// Once so many have been written the part in use is in the caches as it leaves itself there.
  [[nodiscard]] std::uint64_t bytes_around() const;
  [[nodiscard]] std::byte* memory(std::uint32_t chunk) const { return layout_.chunk(owner_, chunk); }

 private:
  struct Chunks {
    std::deque<std::uint32_t> free{};
    std::deque<std::uint32_t> out{};  ///< in the order in which they were taken
  };

  [[nodiscard]] bool came_back(std::uint32_t chunk) const;
  void collect(Chunks& chunks);
  [[nodiscard]] bool has_few();
  [[nodiscard]] Chunks& next_part();
  [[nodiscard]] std::uint32_t take_from(Chunks& chunks);

  Layout layout_;
  std::int32_t owner_;
  std::size_t size_;
  std::size_t few_count_;
  Chunks few_;
  Chunks rest_;
  std::size_t turn_ = 0;  ///< around the whole pool
  PoolPart part_ = PoolPart::kWhole;
  WayJudge<PoolPart> judge_;
  std::uint32_t written_ = 0;  ///< chunks since the judge was told
  std::uint64_t written_bytes_ = 0;
  Ticks took_ = 0;
};

/// The receiver's side: `chunk` of `owner` may be used again.
inline void give_back_chunk(const Layout& layout, std::int32_t owner, std::uint32_t chunk) {
  layout.flag(owner, chunk).busy.store(0, std::memory_order_release);
}

}  // namespace postage::shm
