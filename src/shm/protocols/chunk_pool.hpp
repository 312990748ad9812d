#pragma once

#include "shm/segment/layout.hpp"

#include <cstdint>
#include <deque>

namespace postage::shm {

/// A rank's own chunks. It takes them; whoever received what was in one gives it back by its flag.
///
/// The pool is used in one of two orders. Going around all of it, the next chunk is the one that was used longest ago:
/// its lines have left the receiver's cache, and writing them does not wait for it. Going around a window of
/// kWindowBytes at its beginning, the next chunk's lines are still in both cores' caches. Which is faster depends on
/// how the machine's caches are joined (ProtocolThresholds::pool_window): the window took 0.5 times as long on an Intel
/// Xeon (Cascade Lake), 1.2 to 1.7 times on an AMD EPYC.
class ChunkPool {
 public:
  static constexpr std::uint64_t kWindowBytes = 512 << 10;  ///< within a core's own cache on the machines seen

  ChunkPool(const Layout& layout, std::int32_t owner);

  /// Whether so many chunks can be taken now. O(chunks out), O(1) where enough are known to be free.
  [[nodiscard]] bool has(std::size_t count);
  /// Takes one, marked as busy, in the window if asked to and if one of the window is free; false where none is free.
  [[nodiscard]] bool take(std::uint32_t& chunk, bool window);
  /// The chunk to write in place of one that was taken before: one of the window that has come back meanwhile, if any.
  /// O(1).
  [[nodiscard]] std::uint32_t swap_for_window(std::uint32_t chunk);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* memory(std::uint32_t chunk) const { return layout_.chunk(owner_, chunk); }

 private:
  struct Chunks {
    std::deque<std::uint32_t> free{};
    std::deque<std::uint32_t> out{};  ///< in the order in which they were taken
  };

  [[nodiscard]] bool came_back(std::uint32_t chunk) const;
  void collect(Chunks& chunks);
  [[nodiscard]] bool has_in_window();
  [[nodiscard]] Chunks& next_part(bool window);
  [[nodiscard]] std::uint32_t take_from(Chunks& chunks);

  Layout layout_;
  std::int32_t owner_;
  std::size_t size_;
  std::size_t window_size_;
  Chunks window_;
  Chunks rest_;
  std::size_t turn_ = 0;  ///< around the whole pool
};

/// The receiver's side: `chunk` of `owner` may be used again.
inline void give_back_chunk(const Layout& layout, std::int32_t owner, std::uint32_t chunk) {
  layout.flag(owner, chunk).busy.store(0, std::memory_order_release);
}

}  // namespace postage::shm
