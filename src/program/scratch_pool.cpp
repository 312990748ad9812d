#include <postage/program/scratch_pool.hpp>

#include <algorithm>

namespace postage {
namespace {

/// Up to this much may always stay retired.
constexpr Bytes kCheap = 1 << 16;

}  // namespace

Region ScratchPool::allocate(Bytes bytes) {
  if (bytes == 0) {
    return {{Memory::kScratch, 0}, 0};
  }
  const Bytes room = room_of(bytes);
  recycle_for(room);
  live_bytes_ += room;
  const auto fit = std::find_if(free_.begin(), free_.end(), [&](const auto& region) { return region.second >= room; });
  if (fit == free_.end()) {
    end_ += room;
    return {{Memory::kScratch, end_ - room}, bytes};
  }
  const auto [offset, available] = *fit;
  free_.erase(fit);
  if (available > room) {
    free_.emplace(offset + room, available - room);
  }
  return {{Memory::kScratch, offset}, bytes};
}

void ScratchPool::release(const Region& region) {
  if (region.bytes > 0) {
    live_bytes_ -= room_of(region.bytes);
    insert_free(region.at.offset, room_of(region.bytes));
  }
}

void ScratchPool::retire(const Region& region) {
  if (region.bytes > 0) {
    live_bytes_ -= room_of(region.bytes);
    retired_bytes_ += room_of(region.bytes);
    retired_.push_back(region);
  }
}

void ScratchPool::recycle_for(Bytes bytes) {
  if (retired_bytes_ > std::max(kCheap, live_bytes_ + bytes)) {
    for (const Region& region : retired_) {
      insert_free(region.at.offset, room_of(region.bytes));
    }
    retired_.clear();
    retired_bytes_ = 0;
  }
}

void ScratchPool::insert_free(Bytes offset, Bytes bytes) {
  auto next = free_.lower_bound(offset);
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      free_.erase(before);
    }
  }
  if (next != free_.end() && offset + bytes == next->first) {
    bytes += next->second;
    free_.erase(next);
  }
  free_.emplace(offset, bytes);
}

}  // namespace postage
