#include "shm/chunk_pool.hpp"

#include <algorithm>

namespace postage::shm {
namespace {

/// Times around the few chunks until they are in the caches.
constexpr std::uint32_t kFewSettle = 2;

std::uint32_t rounds_around(std::size_t size, std::size_t few) {
  return static_cast<std::uint32_t>(size / std::max<std::size_t>(few, 1));
}

}  // namespace

ChunkPool::ChunkPool(const Layout& layout, std::int32_t owner, std::uint32_t seldom)
    : layout_(layout),
      owner_(owner),
      size_(layout.shape().chunks),
      few_count_(std::min<std::size_t>(size_, kFewBytes / layout.shape().chunk_bytes)),
      judge_(seldom, {rounds_around(size_, few_count_), kFewSettle}) {
  for (std::uint32_t chunk = 0; chunk < size_; ++chunk) {
    (chunk < few_count_ ? few_ : rest_).free.push_back(chunk);
  }
}

std::uint64_t ChunkPool::bytes_around() const {
  return layout_.shape().chunk_bytes * (part_ == PoolPart::kWhole ? size_ : kFewSettle * few_count_);
}

bool ChunkPool::came_back(std::uint32_t chunk) const {
  return layout_.flag(owner_, chunk).busy.load(std::memory_order_acquire) == 0;
}

bool ChunkPool::has(std::size_t count) {
  if (few_.free.size() + rest_.free.size() < count) {
    collect(few_);
    collect(rest_);
  }
  return few_.free.size() + rest_.free.size() >= count;
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
bool ChunkPool::has_few() {
  if (few_.free.empty() && !few_.out.empty()) {
    const std::uint32_t chunk = few_.out.front();
    few_.out.pop_front();
    (came_back(chunk) ? few_.free : few_.out).push_back(chunk);
  }
  return !few_.free.empty();
}

ChunkPool::Chunks& ChunkPool::next_part() {
  const bool wants_few = part_ == PoolPart::kFew || turn_ < few_count_;
  turn_ = turn_ + 1 < size_ ? turn_ + 1 : 0;
  const bool has_it = wants_few ? has_few() : !rest_.free.empty();
  return wants_few == has_it ? few_ : rest_;
}

bool ChunkPool::take(std::uint32_t& chunk) {
  if (!has(1)) {
    return false;
  }
  chunk = take_from(next_part());
  return true;
}

std::uint32_t ChunkPool::take_from(Chunks& chunks) {
  const std::uint32_t chunk = chunks.free.front();
  chunks.free.pop_front();
  layout_.flag(owner_, chunk).busy.store(1, std::memory_order_relaxed);
  chunks.out.push_back(chunk);
  return chunk;
}

std::uint32_t ChunkPool::rather_than(std::uint32_t chunk) {
  if (part_ == PoolPart::kWhole || chunk < few_count_ || !has_few()) {
    return chunk;
  }
  give_back_chunk(layout_, owner_, chunk);
  return take_from(few_);
}

void ChunkPool::note_written(std::uint64_t bytes, Ticks took) {
  if (few_count_ == size_ || 2 * bytes < layout_.shape().chunk_bytes) {
    return;
  }
  took_ += took;
  written_bytes_ += bytes;
  if (++written_ < few_count_) {
    return;
  }
  if (judge_.observe(part_, static_cast<double>(took_) / static_cast<double>(written_bytes_))) {
    part_ = judge_.next().value_or(part_);
  }
  written_ = 0;
  written_bytes_ = 0;
  took_ = 0;
}

}  // namespace postage::shm
