#include "shm/segment/layout.hpp"

#include "shm/copy/page.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage::shm {
namespace {

/// All rings together stay within this, as long as their cells keep their least size.
constexpr std::uint64_t kRingBudget = std::uint64_t{256} << 20;
constexpr std::uint64_t kLeastCell = 4 * kLine;
constexpr std::uint64_t kMostCell = 65 * kLine;

std::uint64_t header_bytes() {
  return whole_pages(sizeof(Header));
}

/// An odd number of lines, so that the first lines of cells spread over all sets of a cache.
std::uint64_t cell_bytes_of(std::uint64_t ring_bytes) {
  const std::uint64_t lines = ring_bytes / kCells / kLine;
  return std::max<std::uint64_t>(lines - (lines % 2 == 0 ? 1 : 0), 1) * kLine;
}

std::uint64_t default_cell_bytes(std::uint64_t ranks) {
  return std::clamp(cell_bytes_of(kRingBudget / (ranks * ranks)), kLeastCell, kMostCell);
}

/// Numbers of bytes that a segment can be cut into.
void check_sizes(const SegmentOptions& options) {
  const auto lines = static_cast<Bytes>(kLine);
  constexpr Bytes kLeast = kCells * kLine;
  constexpr Bytes kMost = kCells << 15;
  if (options.ring_bytes != 0 && (options.ring_bytes < kLeast || options.ring_bytes > kMost)) {
    throw UsageError(
        fmt::format("a ring of {} bytes is not possible; use {} to {}", options.ring_bytes, kLeast, kMost));
  }
  if (options.chunk_bytes < 1024 || options.chunk_bytes % lines != 0 || options.chunk_bytes > (Bytes{1} << 30)) {
    throw UsageError(fmt::format("chunks of {} bytes are not possible; use 1 KiB to 1 GiB, a multiple of {}",
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
  if (ranks < 1 || ranks > ShmSegment::kMostRanks) {
    throw UsageError(
        fmt::format("a shared-memory segment joins 1 to {} ranks of one node, not {}", ShmSegment::kMostRanks, ranks));
  }
  check_sizes(options);
  const auto count = static_cast<std::uint32_t>(ranks);
  const std::uint64_t cell = options.ring_bytes > 0 ? cell_bytes_of(static_cast<std::uint64_t>(options.ring_bytes))
                                                    : default_cell_bytes(count);
  return {.ranks = count,
          .cell_bytes = static_cast<std::uint32_t>(cell),
          .chunk_bytes = static_cast<std::uint32_t>(options.chunk_bytes),
          .chunks = static_cast<std::uint32_t>(options.pool_bytes / options.chunk_bytes)};
}

std::uint64_t SegmentShape::pair_bytes() const {
  return sizeof(PairControl) + kCells * std::uint64_t{cell_bytes};
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

CellArray Layout::cells(std::int32_t receiver, std::int32_t sender) const {
  return {pair(receiver, sender) + sizeof(PairControl), shape().cell_bytes};
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

}  // namespace postage::shm
