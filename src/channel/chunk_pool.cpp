#include "channel/chunk_pool.hpp"

#include <algorithm>

namespace postage::channel {

ChunkPool::ChunkPool(const Layout& layout, std::int32_t owner)
    : layout_(layout), owner_(owner), size_(layout.shape().chunks) {
  for (std::uint32_t chunk = 0; chunk < size_; ++chunk) {
    free_.push_back(chunk);
  }
}

bool ChunkPool::came_back(std::uint32_t chunk) const {
  return layout_.flag(owner_, chunk).busy.load(std::memory_order_acquire) == 0;
}

bool ChunkPool::has(std::size_t count) {
  if (free_.size() < count) {
    collect();
  }
  return free_.size() >= count;
}

void ChunkPool::collect() {
  std::erase_if(out_, [&](std::uint32_t chunk) {
    if (came_back(chunk)) {
      free_.push_back(chunk);
      return true;
    }
    return false;
  });
}

bool ChunkPool::take(std::uint32_t& chunk) {
  if (!has(1)) {
    return false;
  }
  chunk = free_.front();
  free_.pop_front();
  layout_.flag(owner_, chunk).busy.store(1, std::memory_order_relaxed);
  out_.push_back(chunk);
  return true;
}

}  // namespace postage::channel
