#pragma once

#include "channel/layout.hpp"

#include <cstdint>
#include <deque>

namespace postage::channel {

/// A rank's own chunks. It takes them; whoever received what was in one gives it back by its flag. Of the free
/// ones it takes the one that was used longest ago: its lines have left the receiver's cache by then, so that writing
/// them does not wait for that cache.
class ChunkPool {
 public:
  ChunkPool(const Layout& layout, std::int32_t owner);

  /// Whether so many chunks can be taken now. O(chunks out), O(1) where enough are known to be free.
  [[nodiscard]] bool has(std::size_t count);
  /// Takes one, marked as busy; false where none is free.
  [[nodiscard]] bool take(std::uint32_t& chunk);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* memory(std::uint32_t chunk) const { return layout_.chunk(owner_, chunk); }

 private:
  void collect();
  [[nodiscard]] bool came_back(std::uint32_t chunk) const;

  Layout layout_;
  std::int32_t owner_;
  std::size_t size_;
  std::deque<std::uint32_t> free_;
  std::deque<std::uint32_t> out_;  ///< in the order in which they were taken
};

/// The receiver's side: `chunk` of `owner` may be used again.
inline void give_back_chunk(const Layout& layout, std::int32_t owner, std::uint32_t chunk) {
  layout.flag(owner, chunk).busy.store(0, std::memory_order_release);
}

}  // namespace postage::channel
