// Blocks of different sizes, which a schedule has one behind another.
#include "preload/schedules/tree_schedules.hpp"

#include <postage/base/memory_copy.hpp>

#include <algorithm>
#include <numeric>

namespace postage::preload {
namespace {

/// Between a program's blocks, which lie where its displacements say, and a schedule's.
template <typename Copy>
void for_each_block(std::span<const Bytes> counts, std::span<const Bytes> offsets, const Copy& copy) {
  Bytes at = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    copy(offsets[rank], at, counts[rank]);
    at += counts[rank];
  }
}

}  // namespace

void TreeSchedules::run_irregular(Collective collective, std::int32_t root, std::span<const std::byte> send,
                                  std::span<std::byte> receive) {
  const std::vector<Bytes>& blocks = find(collective, root, true)->request.block_bytes;
  runner_.run({.collective = collective,
               .root = root,
               .bytes = std::accumulate(blocks.begin(), blocks.end(), Bytes{0}),
               .block_bytes = blocks,
               .send = send,
               .receive = receive});
}

Bytes TreeSchedules::own_block(Collective collective, std::int32_t root) const {
  return find(collective, root, true)->request.block_bytes[static_cast<std::size_t>(rank_)];
}

std::span<const std::byte> TreeSchedules::sent_block(Collective collective, std::int32_t root, const std::byte* send,
                                                     Bytes bytes) {
  const std::span<std::byte> block = take(sent_, own_block(collective, root));
  move_memory(block.data(), send, std::min(bytes, static_cast<Bytes>(block.size())));
  return block;
}

void TreeSchedules::gatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
                            std::span<const Bytes> offsets, std::int32_t root) {
  const Bytes total = std::accumulate(counts.begin(), counts.end(), Bytes{0});
  const std::span<std::byte> all = rank_ == root ? take(received_, total) : std::span<std::byte>();
  run_irregular(Collective::kGather, root, sent_block(Collective::kGather, root, send, bytes), all);
  if (rank_ == root) {
    for_each_block(counts, offsets,
                   [&](Bytes offset, Bytes at, Bytes count) { move_memory(receive + offset, all.data() + at, count); });
  }
}

void TreeSchedules::allgatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
                               std::span<const Bytes> offsets) {
  const std::span<std::byte> all = take(received_, std::accumulate(counts.begin(), counts.end(), Bytes{0}));
  run_irregular(Collective::kAllgather, 0, sent_block(Collective::kAllgather, 0, send, bytes), all);
  for_each_block(counts, offsets,
                 [&](Bytes offset, Bytes at, Bytes count) { move_memory(receive + offset, all.data() + at, count); });
}

void TreeSchedules::scatterv(const std::byte* send, std::span<const Bytes> counts, std::span<const Bytes> offsets,
                             std::byte* receive, Bytes bytes, std::int32_t root) {
  std::span<std::byte> all;
  if (rank_ == root) {
    all = take(sent_, std::accumulate(counts.begin(), counts.end(), Bytes{0}));
    for_each_block(counts, offsets,
                   [&](Bytes offset, Bytes at, Bytes count) { move_memory(all.data() + at, send + offset, count); });
  }
  const std::span<std::byte> own = take(received_, own_block(Collective::kScatter, root));
  run_irregular(Collective::kScatter, root, all, own);
  move_memory(receive, own.data(), std::min(bytes, static_cast<Bytes>(own.size())));
}

}  // namespace postage::preload
