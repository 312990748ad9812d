#pragma once

#include <postage/base/units.hpp>
#include <postage/shm/direct_group.hpp>

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace postage::shm {

/// Posts of one rank that others may still read while it goes on, and how many of them may be long.
inline constexpr std::uint64_t kPosts = 64;
inline constexpr std::uint64_t kSlots = DirectGroup::kSlots;
/// A short message shares the cache line of its number, or follows in the next ones.
inline constexpr std::size_t kPostBytes = 512;

enum class PostKind : std::uint32_t {
  kShort,    ///< the data follow
  kCopied,   ///< the data are in the slot of the step
  kSpread,   ///< the data are in all slots, as one room
  kAddress,  ///< an address in the poster's memory follows
};

/// What a rank posts for one numbered step.
struct alignas(64) Post {
  std::atomic<std::uint64_t> number;
  PostKind kind;
  std::byte data[kPostBytes - 16];
};
static_assert(sizeof(Post) == kPostBytes);

/// Room for what is too long for a post. Slots lie a little apart from multiples of a page, whose lines share few sets
/// of a cache.
struct alignas(64) Slot {
  std::byte data[DirectGroup::kSlotBytes];
  std::byte apart[256];
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
  Post posts[kPosts];
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
  /// Lets this process find a present rank's posts and slots without page faults later.
  void touch(std::int32_t rank) const;

 private:
  void publish(RankCard& card) const;

  std::uint64_t bytes_;
  std::uint64_t token_;
  RankArea* areas_ = nullptr;
};

}  // namespace postage::shm
