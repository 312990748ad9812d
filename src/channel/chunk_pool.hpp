#pragma once

#include "channel/layout.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace postage::channel {

/// A rank's own chunks. It takes them; whoever received what was in one gives it back by its flag. A chunk that came
/// back is used again before one that was never used, since it may still be in the cache.
class ChunkPool {
 public:
  ChunkPool(const Layout& layout, std::int32_t owner);

  /// Whether so many chunks can be taken now. O(chunks out), O(1) where enough are known to be free.
  [[nodiscard]] bool has(std::size_t count);
  /// Takes one, marked as busy, for a message to `holder`; false where none is free.
  [[nodiscard]] bool take(std::uint32_t& chunk, std::int32_t holder);
  /// How many were taken for messages to `holder` and have not come back, as far as is known, and exactly where that is
  /// not below `enough`.
  [[nodiscard]] std::size_t held_by(std::int32_t holder, std::size_t enough);

  /// One for a message that uses it again and again; false where none is free. It is not marked as busy.
  [[nodiscard]] bool borrow(std::uint32_t& chunk);
  /// The message is on its way: the chunk is free as soon as it is not busy.
  void hand_over(std::uint32_t chunk);
  void mark_busy(std::uint32_t chunk) { layout_.flag(owner_, chunk).busy.store(1, std::memory_order_relaxed); }
  [[nodiscard]] bool came_back(std::uint32_t chunk) const;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* memory(std::uint32_t chunk) const { return layout_.chunk(owner_, chunk); }

 private:
  static constexpr std::int32_t kNobody = -1;

  void collect();
  void note_return(std::uint32_t chunk);

  Layout layout_;
  std::int32_t owner_;
  std::size_t size_;
  std::vector<std::uint32_t> free_;
  std::deque<std::uint32_t> out_;     ///< in the order in which they were taken
  std::vector<std::int32_t> holder_;  ///< of each chunk
  std::vector<std::size_t> held_;     ///< by each rank
};

/// The receiver's side: `chunk` of `owner` may be used again.
inline void give_back_chunk(const Layout& layout, std::int32_t owner, std::uint32_t chunk) {
  layout.flag(owner, chunk).busy.store(0, std::memory_order_release);
}

}  // namespace postage::channel
