#include "channel/chunk_pool.hpp"

#include <algorithm>
#include <utility>

namespace postage::channel {

ChunkPool::ChunkPool(const Layout& layout, std::int32_t owner)
    : layout_(layout),
      owner_(owner),
      size_(layout.shape().chunks),
      holder_(size_, kNobody),
      held_(layout.shape().ranks, 0) {
  free_.reserve(size_);
  for (std::uint32_t chunk = static_cast<std::uint32_t>(size_); chunk > 0; --chunk) {
    free_.push_back(chunk - 1);
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
      note_return(chunk);
      free_.push_back(chunk);
      return true;
    }
    return false;
  });
}

void ChunkPool::note_return(std::uint32_t chunk) {
  if (const std::int32_t holder = std::exchange(holder_[chunk], kNobody); holder != kNobody) {
    --held_[static_cast<std::size_t>(holder)];
  }
}

bool ChunkPool::borrow(std::uint32_t& chunk) {
  if (!out_.empty() && came_back(out_.front())) {
    chunk = out_.front();
    out_.pop_front();
    note_return(chunk);
    return true;
  }
  if (!has(1)) {
    return false;
  }
  chunk = free_.back();
  free_.pop_back();
  return true;
}

void ChunkPool::hand_over(std::uint32_t chunk) {
  out_.push_back(chunk);
}

bool ChunkPool::take(std::uint32_t& chunk, std::int32_t holder) {
  if (!borrow(chunk)) {
    return false;
  }
  mark_busy(chunk);
  hand_over(chunk);
  holder_[chunk] = holder;
  ++held_[static_cast<std::size_t>(holder)];
  return true;
}

std::size_t ChunkPool::held_by(std::int32_t holder, std::size_t enough) {
  const auto rank = static_cast<std::size_t>(holder);
  if (held_[rank] >= enough) {
    collect();
  }
  return held_[rank];
}

}  // namespace postage::channel
