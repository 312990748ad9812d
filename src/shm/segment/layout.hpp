#pragma once

#include "shm/segment/doorbell.hpp"
#include "shm/segment/part_claims.hpp"
#include "shm/segment/records.hpp"

#include <postage/platform/topology.hpp>
#include <postage/shm/segment.hpp>

#include <array>
#include <atomic>
#include <cstdint>

namespace postage::shm {

// What lies where in a segment:
//
//   header | a card of each rank | pairs [receiver][sender]: control, cells | pools [rank]: flags, chunks

inline constexpr std::size_t kMostPus = 1024;
inline constexpr std::size_t kCooperativeCopies = 8;  ///< that a receiver can have under way

/// Sizes that follow from the options and never change.
struct SegmentShape {
  std::uint32_t ranks = 1;
  std::uint32_t cell_bytes = 0;
  std::uint32_t chunk_bytes = 0;
  std::uint32_t chunks = 0;  ///< of each rank's pool

  /// Throws UsageError.
  [[nodiscard]] static SegmentShape of(std::int32_t ranks, const SegmentOptions& options);
  [[nodiscard]] std::uint64_t pair_bytes() const;
  [[nodiscard]] std::uint64_t pool_bytes() const;
  [[nodiscard]] std::uint64_t total_bytes() const;
};

/// Hardware threads, as bits.
using PuSet = std::array<std::uint64_t, kMostPus / 64>;

/// The socket and the shared cache of a hardware thread; -1 for those that this node does not have.
struct PuLocation {
  std::int16_t socket = -1;
  std::int16_t cache = -1;
};

struct Header {
  std::uint64_t magic = 0;
  SegmentShape shape{};
  Seconds patience = 0;
  std::array<PuLocation, kMostPus> locations{};
};

/// kGaveUp: it saw another rank's death; the buffers of its pending sends may have changed since.
enum class Presence : std::uint32_t { kAbsent, kPresent, kLeft, kGaveUp };

/// What a rank publishes about itself, before it is present.
struct alignas(kLine) Card {
  std::atomic<Presence> presence;
  std::int32_t pid;
  std::uint64_t process;        ///< the same for ranks of one process, and only for them
  std::uint64_t token_address;  ///< where `token` lies in that process: who reads it there reads the right process
  std::uint64_t token;
  std::uint32_t needs_fence;  ///< 1 where the kernel has no membarrier for this process
  PuSet may_run_on;
};

/// Ranks that have ever sent to this one, as bits: others need not be looked at.
struct alignas(kLine) Senders {
  std::array<std::atomic<std::uint64_t>, ShmSegment::kMostRanks / 64> bits;
};

struct RankBlock {
  Doorbell doorbell;
  Card card;
  Senders senders;
  std::array<PartClaims, kCooperativeCopies> claims;
};

/// Written by the receiver of a pair, read by its sender: frequently and rarely written things on lines of their own.
struct alignas(kLine) PairControl {
  std::atomic<std::uint64_t> acknowledged;
  alignas(kLine) std::atomic<std::uint32_t> skewed;  ///< 1 while the receiver falls behind
  std::atomic<std::uint32_t> no_single_copy;         ///< 1 once reading the sender's memory did not work
};

/// 1 while the chunk holds something that its receiver has not taken.
struct alignas(kLine) ChunkFlag {
  std::atomic<std::uint32_t> busy;
};

/// Finds things in a mapped segment. All O(1).
class Layout {
 public:
  explicit Layout(std::byte* base) : base_(base) {}

  [[nodiscard]] Header& header() const;
  [[nodiscard]] const SegmentShape& shape() const { return header().shape; }
  [[nodiscard]] RankBlock& rank(std::int32_t rank) const;
  [[nodiscard]] PairControl& control(std::int32_t receiver, std::int32_t sender) const;
  [[nodiscard]] CellArray cells(std::int32_t receiver, std::int32_t sender) const;
  [[nodiscard]] ChunkFlag& flag(std::int32_t owner, std::uint64_t chunk) const;
  [[nodiscard]] std::byte* chunk(std::int32_t owner, std::uint64_t chunk) const;

 private:
  [[nodiscard]] std::byte* pair(std::int32_t receiver, std::int32_t sender) const;
  [[nodiscard]] std::byte* pool(std::int32_t owner) const;

  std::byte* base_;
};

inline constexpr std::uint64_t kMagic = 0x31'65'67'61'74'73'6f'70;  // "postage1"

}  // namespace postage::shm
