// Gather, scatter, allgather(v) and alltoall across nodes. Leaders exchange the blocks of their nodes' ranks, node by
// node; they are sorted by rank where nodes' ranks do not follow one another.
#include "preload/nodes/across_nodes.hpp"

#include <postage/base/memory_copy.hpp>

#include <algorithm>
#include <numeric>

namespace postage::preload {

std::vector<Bytes> AcrossNodes::bytes_by_node(Bytes block) const {
  std::vector<Bytes> bytes;
  for (std::int32_t node = 0; node < layout_.nodes(); ++node) {
    bytes.push_back(block * layout_.count_on(node));
  }
  return bytes;
}

std::vector<Bytes> AcrossNodes::bytes_by_node(std::span<const Bytes> counts) const {
  std::vector<Bytes> bytes(static_cast<std::size_t>(layout_.nodes()), 0);
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    bytes[static_cast<std::size_t>(layout_.node_of[rank])] += counts[rank];
  }
  return bytes;
}

void AcrossNodes::sort_by_rank(const std::byte* by_node, std::byte* by_rank, Bytes bytes) const {
  for_each_by_node(layout_, [&](std::int32_t rank) {
    move_memory(by_rank + rank * bytes, by_node, bytes);
    by_node += bytes;
  });
}

void AcrossNodes::sort_by_node(const std::byte* by_rank, std::byte* by_node, Bytes bytes) const {
  for_each_by_node(layout_, [&](std::int32_t rank) {
    move_memory(by_node, by_rank + rank * bytes, bytes);
    by_node += bytes;
  });
}

void AcrossNodes::gather(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root) {
  const std::span<std::byte> own = take(rooms_[0], bytes * layout_.count_on(node_));
  direct_.gather(send, is_leader() ? own.data() : nullptr, bytes, 0);
  const std::int32_t to = layout_.node(root);
  const std::span<std::byte> all = node_ == to ? take(rooms_[1], bytes * layout_.ranks()) : std::span<std::byte>();
  if (is_leader()) {
    leaders_->run({.collective = Collective::kGather,
                   .root = to,
                   .bytes = bytes,
                   .block_bytes = bytes_by_node(bytes),
                   .send = own,
                   .receive = all});
  }
  hand_over(all, layout_.on(to).front(), root);
  if (rank_ == root) {
    sort_by_rank(all.data(), receive, bytes);
  }
}

void AcrossNodes::allgather(const std::byte* send, std::byte* receive, Bytes bytes) {
  const std::span<std::byte> own = take(rooms_[0], bytes * layout_.count_on(node_));
  const Bytes total = bytes * layout_.ranks();
  const std::span<std::byte> all =
      layout_.in_order ? std::span(receive, static_cast<std::size_t>(total)) : take(rooms_[1], total);
  direct_.gather(send, is_leader() ? own.data() : nullptr, bytes, 0);
  if (is_leader()) {
    leaders_->run({.collective = Collective::kAllgather,
                   .bytes = bytes,
                   .block_bytes = bytes_by_node(bytes),
                   .send = own,
                   .receive = all});
  }
  direct_.bcast(all, 0);
  if (!layout_.in_order) {
    sort_by_rank(all.data(), receive, bytes);
  }
}

std::span<std::byte> AcrossNodes::gather_on_node(const std::byte* send, Bytes bytes, std::span<const Bytes> counts) {
  std::vector<Bytes> blocks;
  std::vector<Bytes> offsets;
  Bytes total = 0;
  for (const std::int32_t rank : layout_.on(node_)) {
    blocks.push_back(counts[static_cast<std::size_t>(rank)]);
    offsets.push_back(total);
    total += blocks.back();
  }
  const std::span<std::byte> own = take(rooms_[0], total);
  if (direct_.has_single_copy()) {
    direct_.gatherv(send, bytes, own.data(), blocks, offsets, 0);
  } else {
    direct_.allgatherv(send, bytes, own.data(), blocks, offsets);
  }
  return own;
}

void AcrossNodes::allgatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
                             std::span<const Bytes> offsets) {
  const std::span<std::byte> own = gather_on_node(send, bytes, counts);
  const std::vector<Bytes> blocks = bytes_by_node(counts);
  const std::span<std::byte> all = take(rooms_[1], std::accumulate(blocks.begin(), blocks.end(), Bytes{0}));
  if (is_leader()) {
    leaders_->run({.collective = Collective::kAllgather,
                   .bytes = *std::max_element(counts.begin(), counts.end()),
                   .block_bytes = blocks,
                   .send = own,
                   .receive = all});
  }
  direct_.bcast(all, 0);
  const std::byte* from = all.data();
  for_each_by_node(layout_, [&](std::int32_t rank) {
    const auto index = static_cast<std::size_t>(rank);
    move_memory(receive + offsets[index], from, counts[index]);
    from += counts[index];
  });
}

void AcrossNodes::scatter(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root) {
  const std::int32_t from = layout_.node(root);
  const std::span<std::byte> all = node_ == from ? take(rooms_[1], bytes * layout_.ranks()) : std::span<std::byte>();
  if (rank_ == root) {
    sort_by_node(send, all.data(), bytes);
  }
  hand_over(all, root, layout_.on(from).front());
  const std::span<std::byte> own = take(rooms_[0], bytes * layout_.count_on(node_));
  if (is_leader()) {
    leaders_->run({.collective = Collective::kScatter,
                   .root = from,
                   .bytes = bytes,
                   .block_bytes = bytes_by_node(bytes),
                   .send = all,
                   .receive = own});
  }
  direct_.scatter(is_leader() ? own.data() : nullptr, receive, bytes, 0);
}

/// from_node: all that each rank of this node sends; to_node: all that each of them gets.
void AcrossNodes::exchange_among_leaders(const std::byte* from_node, std::byte* to_node, Bytes bytes) {
  const std::int32_t nodes = layout_.nodes();
  const std::int32_t here = layout_.count_on(node_);
  const Bytes of_rank = bytes * layout_.ranks();
  const std::span<std::byte> out = take(rooms_[1], of_rank * here);
  const std::span<std::byte> in = take(rooms_[2], of_rank * here);
  std::byte* to = out.data();
  for (std::int32_t node = 0; node < nodes; ++node) {
    for (std::int32_t source = 0; source < here; ++source) {
      for (const std::int32_t target : layout_.on(node)) {
        move_memory(to, from_node + source * of_rank + target * bytes, bytes);
        to += bytes;
      }
    }
  }
  std::vector<Bytes> blocks;
  for (std::int32_t source = 0; source < nodes; ++source) {
    for (std::int32_t target = 0; target < nodes; ++target) {
      blocks.push_back(bytes * layout_.count_on(source) * layout_.count_on(target));
    }
  }
  leaders_->run(
      {.collective = Collective::kAlltoall, .bytes = bytes, .block_bytes = blocks, .send = out, .receive = in});
  const std::byte* from = in.data();
  for_each_by_node(layout_, [&](std::int32_t source) {
    for (std::int32_t target = 0; target < here; ++target) {
      move_memory(to_node + target * of_rank + source * bytes, from, bytes);
      from += bytes;
    }
  });
}

void AcrossNodes::alltoall(const std::byte* send, std::byte* receive, Bytes bytes) {
  const Bytes of_rank = bytes * layout_.ranks();
  const Bytes of_node = of_rank * layout_.count_on(node_);
  const std::span<std::byte> own = is_leader() ? take(rooms_[0], of_node) : std::span<std::byte>();
  direct_.gather(send, own.data(), of_rank, 0);
  if (is_leader()) {
    exchange_among_leaders(own.data(), own.data(), bytes);
  }
  direct_.scatter(own.data(), receive, of_rank, 0);
}

}  // namespace postage::preload
