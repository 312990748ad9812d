#pragma once

#include <postage/base/units.hpp>
#include <postage/shm/direct_group.hpp>

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace postage::shm {

/// Posts of one rank that others may still read while it goes on.
inline constexpr std::uint64_t kSlots = 8;

enum class PostKind : std::uint32_t {
  kCopied,   ///< the data follow
  kAddress,  ///< an address in the poster's memory follows
};

/// What a rank posts for one numbered step. A short message shares the cache line of its number.
struct alignas(64) Slot {
  std::atomic<std::uint64_t> number;
  PostKind kind;
  std::byte data[DirectGroup::kSlotBytes];
};

/// What peers know of a rank. `done` changes all the time, the rest never.
struct RankCard {
  alignas(64) std::atomic<std::uint64_t> done;  ///< it has read all that it needs of steps up to this one
  alignas(64) std::atomic<std::uint32_t> present;
  pid_t pid;
  std::uint64_t token_address;
  std::uint64_t token;
};

struct RankArea {
  RankCard card;
  Slot slots[kSlots];
};

/// The memory of a group, which has no name and of which no file descriptor stays open.
class DirectMemory {
 public:
  /// Collective. Throws Error.
  DirectMemory(std::int32_t rank, std::int32_t ranks, std::uint64_t number, const DirectOptions& options);
  ~DirectMemory();
  DirectMemory(const DirectMemory&) = delete;
  DirectMemory& operator=(const DirectMemory&) = delete;

  [[nodiscard]] RankArea& area(std::int32_t rank) const { return areas_[rank]; }

 private:
  void publish(RankCard& card) const;

  std::uint64_t bytes_;
  std::uint64_t token_;
  RankArea* areas_ = nullptr;
};

}  // namespace postage::shm
