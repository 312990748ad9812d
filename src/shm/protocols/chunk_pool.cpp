#include "shm/protocols/chunk_pool.hpp"

#include <algorithm>

namespace postage::shm {

ChunkPool::ChunkPool(const Layout& layout, std::int32_t owner)
    : layout_(layout),
      owner_(owner),
      size_(layout.shape().chunks),
      window_size_(std::min<std::size_t>(size_, kWindowBytes / layout.shape().chunk_bytes)) {
  for (std::uint32_t chunk = 0; chunk < size_; ++chunk) {
    (chunk < window_size_ ? window_ : rest_).free.push_back(chunk);
  }
}

bool ChunkPool::came_back(std::uint32_t chunk) const {
  return layout_.flag(owner_, chunk).busy.load(std::memory_order_acquire) == 0;
}

bool ChunkPool::has(std::size_t count) {
  if (window_.free.size() + rest_.free.size() < count) {
    collect(window_);
    collect(rest_);
  }
  return window_.free.size() + rest_.free.size() >= count;
}

void ChunkPool::collect(Chunks& chunks) {
  std::erase_if(chunks.out, [&](std::uint32_t chunk) {
    if (came_back(chunk)) {
      chunks.free.push_back(chunk);
      return true;
    }
    return false;
  });
}

/// Looks at one of those that are out, the next time at the next one.
bool ChunkPool::has_in_window() {
  if (window_.free.empty() && !window_.out.empty()) {
    const std::uint32_t chunk = window_.out.front();
    window_.out.pop_front();
    (came_back(chunk) ? window_.free : window_.out).push_back(chunk);
  }
  return !window_.free.empty();
}

ChunkPool::Chunks& ChunkPool::next_part(bool window) {
  const bool wants_window = window || turn_ < window_size_;
  turn_ = turn_ + 1 < size_ ? turn_ + 1 : 0;
  const bool has_it = wants_window ? has_in_window() : !rest_.free.empty();
  return wants_window == has_it ? window_ : rest_;
}

bool ChunkPool::take(std::uint32_t& chunk, bool window) {
  if (!has(1)) {
    return false;
  }
  chunk = take_from(next_part(window));
  return true;
}

std::uint32_t ChunkPool::take_from(Chunks& chunks) {
  const std::uint32_t chunk = chunks.free.front();
  chunks.free.pop_front();
  layout_.flag(owner_, chunk).busy.store(1, std::memory_order_relaxed);
  chunks.out.push_back(chunk);
  return chunk;
}

std::uint32_t ChunkPool::swap_for_window(std::uint32_t chunk) {
  if (chunk < window_size_ || !has_in_window()) {
    return chunk;
  }
  give_back_chunk(layout_, owner_, chunk);
  return take_from(window_);
}

}  // namespace postage::shm
