// Barrier, bcast, reductions and scans across nodes.
#include "preload/nodes/across_nodes.hpp"

#include <postage/base/memory_copy.hpp>

#include <algorithm>
#include <utility>

namespace postage::preload {
namespace {

ScheduleOperation among_leaders(const ReduceOperation& operation) {
  return {operation.element_bytes, operation.commutative, operation.combine, operation.context};
}

}  // namespace

AcrossNodes::AcrossNodes(NodeLayout layout, std::int32_t rank, DirectGroup& direct,
                         std::unique_ptr<ScheduleRunner> leaders)
    : layout_(std::move(layout)),
      rank_(rank),
      node_(layout_.node(rank)),
      direct_(direct),
      leaders_(std::move(leaders)) {}

std::span<std::byte> AcrossNodes::take(Room& room, Bytes bytes) {
  if (room.size() < static_cast<std::size_t>(bytes)) {
    room.resize(static_cast<std::size_t>(bytes));
  }
  return {room.data(), static_cast<std::size_t>(bytes)};
}

void AcrossNodes::hand_over(std::span<std::byte> data, std::int32_t from, std::int32_t to) {
  if (from != to && layout_.node(from) == node_) {
    direct_.bcast(data, layout_.place(from));
  }
}

void AcrossNodes::barrier() {
  direct_.barrier();
  if (is_leader()) {
    leaders_->run({.collective = Collective::kBarrier});
  }
  direct_.barrier();
}

void AcrossNodes::bcast(std::span<std::byte> buffer, std::int32_t root) {
  const std::int32_t from = layout_.node(root);
  if (node_ == from) {
    direct_.bcast(buffer, layout_.place(root));
  }
  if (is_leader()) {
    leaders_->run({.collective = Collective::kBcast,
                   .root = from,
                   .bytes = static_cast<Bytes>(buffer.size()),
                   .receive = buffer});
  }
  if (node_ != from) {
    direct_.bcast(buffer, 0);
  }
}

void AcrossNodes::reduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation,
                         std::int32_t root) {
  const std::span<std::byte> sum = take(rooms_[0], bytes);
  direct_.reduce(send, is_leader() ? sum.data() : nullptr, bytes, operation, 0);
  const std::int32_t to = layout_.node(root);
  const bool is_root = rank_ == root;
  const std::span<std::byte> result =
      is_root ? std::span(receive, static_cast<std::size_t>(bytes)) : take(rooms_[1], bytes);
  if (is_leader()) {
    leaders_->run({.collective = Collective::kReduce,
                   .root = to,
                   .bytes = bytes,
                   .send = sum,
                   .receive = node_ == to ? result : std::span<std::byte>(),
                   .operation = among_leaders(operation)});
  }
  hand_over(result, layout_.on(to).front(), root);
}

void AcrossNodes::allreduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation) {
  const std::span<std::byte> sum = take(rooms_[0], bytes);
  const std::span<std::byte> result(receive, static_cast<std::size_t>(bytes));
  direct_.reduce(send, is_leader() ? sum.data() : nullptr, bytes, operation, 0);
  if (is_leader()) {
    leaders_->run({.collective = Collective::kAllreduce,
                   .bytes = bytes,
                   .send = sum,
                   .receive = result,
                   .operation = among_leaders(operation)});
  }
  direct_.bcast(result, 0);
}

void AcrossNodes::reduce_scatter(const std::byte* send, std::byte* receive, std::span<const Bytes> counts,
                                 const ReduceOperation& operation) {
  Bytes total = 0;
  std::vector<Bytes> offsets;
  for (const Bytes count : counts) {
    offsets.push_back(total);
    total += count;
  }
  const std::span<std::byte> sum = take(rooms_[0], total);
  direct_.reduce(send, is_leader() ? sum.data() : nullptr, total, operation, 0);
  const std::vector<Bytes> of_nodes = bytes_by_node(counts);
  const std::span<std::byte> own = take(rooms_[1], of_nodes[static_cast<std::size_t>(node_)]);
  if (is_leader()) {
    const std::span<std::byte> sorted = take(rooms_[2], total);
    Bytes at = 0;
    for_each_by_node(layout_, [&](std::int32_t rank) {
      const auto index = static_cast<std::size_t>(rank);
      move_memory(sorted.data() + at, sum.data() + offsets[index], counts[index]);
      at += counts[index];
    });
    leaders_->run({.collective = Collective::kReduceScatter,
                   .bytes = total,
                   .block_bytes = of_nodes,
                   .send = sorted,
                   .receive = own,
                   .operation = among_leaders(operation)});
  }
  direct_.bcast(own, 0);
  Bytes before = 0;
  for (const std::int32_t rank : layout_.on(node_)) {
    before += rank < rank_ ? counts[static_cast<std::size_t>(rank)] : 0;
  }
  move_memory(receive, own.data() + before, counts[static_cast<std::size_t>(rank_)]);
}

std::span<std::byte> AcrossNodes::combined_before(const std::byte* send, Bytes bytes,
                                                  const ReduceOperation& operation) {
  const std::span<std::byte> sum = take(rooms_[0], bytes);
  direct_.reduce(send, is_leader() ? sum.data() : nullptr, bytes, operation, 0);
  const std::span<std::byte> before = take(rooms_[1], bytes);
  if (is_leader()) {
    leaders_->run({.collective = Collective::kExscan,
                   .bytes = bytes,
                   .send = sum,
                   .receive = before,
                   .operation = among_leaders(operation)});
  }
  if (node_ == 0) {
    return {};
  }
  direct_.bcast(before, 0);
  return before;
}

void AcrossNodes::scan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation) {
  const std::span<std::byte> before = combined_before(send, bytes, operation);
  direct_.scan(send, receive, bytes, operation);
  if (!before.empty()) {
    operation.combine(operation.context, before.data(), receive, receive, bytes);
  }
}

void AcrossNodes::exscan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation) {
  const std::span<std::byte> before = combined_before(send, bytes, operation);
  direct_.exscan(send, receive, bytes, operation);
  if (before.empty()) {
    return;
  }
  if (is_leader()) {
    move_memory(receive, before.data(), bytes);
  } else {
    operation.combine(operation.context, before.data(), receive, receive, bytes);
  }
}

}  // namespace postage::preload
