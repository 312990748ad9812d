#include "channel/layout.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace postage::channel {
namespace {

constexpr std::uint64_t kPage = 4096;
/// All rings together stay within this, as long as each keeps its least size.
constexpr std::uint64_t kRingBudget = std::uint64_t{256} << 20;
constexpr std::uint64_t kLeastRing = 4096;
constexpr std::uint64_t kMostRing = 64 << 10;

std::uint64_t whole_pages(std::uint64_t bytes) {
  return (bytes + kPage - 1) / kPage * kPage;
}

std::uint64_t header_bytes() {
  return whole_pages(sizeof(Header));
}

std::uint64_t default_ring_bytes(std::uint64_t ranks) {
  const std::uint64_t share = kRingBudget / (ranks * ranks);
  return std::clamp(std::bit_floor(std::max(share, std::uint64_t{1})), kLeastRing, kMostRing);
}

/// Numbers of bytes that a segment can be cut into.
void check_sizes(const SegmentOptions& options) {
  const auto lines = static_cast<Bytes>(kLine);
  if (options.ring_bytes != 0 &&
      (options.ring_bytes < 1024 || options.ring_bytes % lines != 0 || options.ring_bytes > (Bytes{1} << 30))) {
    throw UsageError(fmt::format("a ring of {} bytes cannot be; use 1 KiB to 1 GiB in whole lines of {}",
                                 options.ring_bytes, lines));
  }
  if (options.chunk_bytes < 1024 || options.chunk_bytes % lines != 0 || options.chunk_bytes > (Bytes{1} << 30)) {
    throw UsageError(fmt::format("chunks of {} bytes cannot be; use 1 KiB to 1 GiB in whole lines of {}",
                                 options.chunk_bytes, lines));
  }
  const Bytes chunks = options.pool_bytes / options.chunk_bytes;
  if (chunks < 8 || chunks > 65536) {
    throw UsageError(fmt::format("a pool of {} bytes holds {} chunks of {}; it needs 8 to 65536", options.pool_bytes,
                                 chunks, options.chunk_bytes));
  }
}

}  // namespace

SegmentShape SegmentShape::of(std::int32_t ranks, const SegmentOptions& options) {
  if (ranks < 1 || ranks > ChannelSegment::kMostRanks) {
    throw UsageError(
        fmt::format("a channel joins 1 to {} ranks of one node, not {}", ChannelSegment::kMostRanks, ranks));
  }
  check_sizes(options);
  const auto count = static_cast<std::uint32_t>(ranks);
  const std::uint64_t ring =
      options.ring_bytes > 0 ? static_cast<std::uint64_t>(options.ring_bytes) : default_ring_bytes(count);
  return {.ranks = count,
          .ring_bytes = static_cast<std::uint32_t>(ring),
          .chunk_bytes = static_cast<std::uint32_t>(options.chunk_bytes),
          .chunks = static_cast<std::uint32_t>(options.pool_bytes / options.chunk_bytes)};
}

std::uint64_t SegmentShape::pair_bytes() const {
  return sizeof(PairControl) + kCells * sizeof(Cell) + ring_bytes;
}

std::uint64_t SegmentShape::pool_bytes() const {
  return whole_pages(chunks * sizeof(ChunkFlag)) + whole_pages(std::uint64_t{chunks} * chunk_bytes);
}

std::uint64_t SegmentShape::total_bytes() const {
  return header_bytes() + whole_pages(ranks * sizeof(RankBlock)) +
         whole_pages(std::uint64_t{ranks} * ranks * pair_bytes()) + ranks * pool_bytes();
}

Header& Layout::header() const {
  return *reinterpret_cast<Header*>(base_);
}

RankBlock& Layout::rank(std::int32_t rank) const {
  return reinterpret_cast<RankBlock*>(base_ + header_bytes())[rank];
}

std::byte* Layout::pair(std::int32_t receiver, std::int32_t sender) const {
  const SegmentShape& of = shape();
  const std::uint64_t number = static_cast<std::uint64_t>(receiver) * of.ranks + static_cast<std::uint64_t>(sender);
  return base_ + header_bytes() + whole_pages(of.ranks * sizeof(RankBlock)) + number * of.pair_bytes();
}

PairControl& Layout::control(std::int32_t receiver, std::int32_t sender) const {
  return *reinterpret_cast<PairControl*>(pair(receiver, sender));
}

std::span<Cell> Layout::cells(std::int32_t receiver, std::int32_t sender) const {
  return {reinterpret_cast<Cell*>(pair(receiver, sender) + sizeof(PairControl)), kCells};
}

std::byte* Layout::payloads(std::int32_t receiver, std::int32_t sender) const {
  return pair(receiver, sender) + sizeof(PairControl) + kCells * sizeof(Cell);
}

std::byte* Layout::pool(std::int32_t owner) const {
  const SegmentShape& of = shape();
  return pair(0, 0) + whole_pages(std::uint64_t{of.ranks} * of.ranks * of.pair_bytes()) +
         static_cast<std::uint64_t>(owner) * of.pool_bytes();
}

ChunkFlag& Layout::flag(std::int32_t owner, std::uint64_t chunk) const {
  return reinterpret_cast<ChunkFlag*>(pool(owner))[chunk];
}

std::byte* Layout::chunk(std::int32_t owner, std::uint64_t chunk) const {
  return pool(owner) + whole_pages(shape().chunks * sizeof(ChunkFlag)) + chunk * shape().chunk_bytes;
}

}  // namespace postage::channel
