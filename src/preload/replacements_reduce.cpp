#include "preload/buffers.hpp"
#include "preload/operation.hpp"
#include "preload/replacements.hpp"

#include <cstring>

namespace postage::preload {
namespace {

/// Elements of a reduction as the ranks give them to one another. Where they have gaps these are messages or, of
/// built-in operations, copies of whole extents, so that no byte of the program's gaps is written and none behind its
/// last element is read.
class ReducedElements {
 public:
  ReducedElements(const Datatype& type, MPI_Op op, std::int64_t sent, std::int64_t received)
      : type_(type), is_memory_(Operation::takes_memory(op)), sent_(sent), received_(received) {}

  [[nodiscard]] const std::byte* send(const void* elements) const {
    if (!is_memory_ || type_.is_contiguous) {
      return packed(elements, sent_, type_, 0);
    }
    std::byte* const room = thread_room(0, sent_ * type_.extent);
    std::memcpy(room + type_.first_byte, static_cast<const std::byte*>(elements) + type_.first_byte,
                static_cast<std::size_t>((sent_ - 1) * type_.extent + type_.end_byte - type_.first_byte));
    return room;
  }
  [[nodiscard]] std::byte* receive(void* elements) const {
    return type_.is_contiguous ? static_cast<std::byte*>(elements)
                               : thread_room(1, received_ * (is_memory_ ? type_.extent : type_.size));
  }
  /// Gives the program its elements, through a message, which leaves gaps as they are.
  void store(const std::byte* result, void* elements) const {
    if (type_.is_contiguous || received_ == 0) {
      return;
    }
    if (is_memory_) {
      std::byte* const message = thread_room(2, received_ * type_.size);
      pack(result, received_, type_, message);
      result = message;
    }
    unpack(result, received_, type_, elements);
  }

 private:
  const Datatype& type_;
  bool is_memory_;
  std::int64_t sent_;
  std::int64_t received_;
};

struct BlockCounts {
  std::int64_t sent = 0;
  std::int64_t received = 0;  ///< 0 where this rank gets no result
  bool valid = true;
};

BlockCounts block_counts_of(const Context& on, const CollectiveCall& call) {
  BlockCounts counts{.sent = call.receive_count, .received = call.receive_count, .valid = call.receive_count >= 0};
  if (call.entry == Entry::kReduce_scatter_block) {
    counts.sent *= on.ranks;
  } else if (call.entry == Entry::kReduce_scatter) {
    counts = {.valid = call.receive_counts.is_given()};
    for (std::int32_t rank = 0; counts.valid && rank < on.ranks; ++rank) {
      counts.valid = call.receive_counts[rank] >= 0;
      counts.sent += call.receive_counts[rank];
    }
    counts.received = counts.valid ? call.receive_counts[on.rank] : 0;
  } else if (call.entry == Entry::kReduce && on.rank != call.root) {
    counts.received = 0;
  } else if (call.entry == Entry::kExscan && on.rank == 0) {
    counts.received = 0;
  }
  return counts;
}

/// The signature by which the collective is decided on; all ranks know all counts.
Bytes decided_bytes(const Context& on, const CollectiveCall& call, const BlockCounts& counts, const Datatype& type) {
  const bool is_scattered = call.entry == Entry::kReduce_scatter_block || call.entry == Entry::kReduce_scatter;
  return (is_scattered ? counts.sent / on.ranks : counts.sent) * type.size;
}

bool is_root_valid(const Context& on, const CollectiveCall& call) {
  return call.entry != Entry::kReduce || (call.root >= 0 && call.root < on.ranks);
}

bool are_buffers_valid(const Context& on, const CollectiveCall& call, const BlockCounts& counts, const Datatype& type) {
  const bool in_place = call.send == MPI_IN_PLACE;
  if ((in_place && call.entry == Entry::kReduce && on.rank != call.root) ||
      (call.receive == MPI_IN_PLACE && counts.received > 0)) {
    return false;
  }
  const bool has_address = type.is_contiguous || Operation::takes_memory(call.op);
  const void* const sent = in_place ? call.receive : call.send;
  return is_memory(sent, counts.sent * type.size, has_address) &&
         is_memory(call.receive, counts.received * type.size, has_address);
}

/// Elements that do not fit into a slot, one for each rank, have to be read where they lie.
bool is_element_possible(const Context& on, const CollectiveCall& call, const Datatype& type) {
  return on.direct == nullptr || on.direct->has_single_copy() ||
         Operation::element_bytes(call.op, type) * on.ranks <= DirectGroup::kSlotBytes;
}

/// A tree of any form combines in its own order.
bool follows_reduce_tree(const Context& on, const CollectiveCall& call) {
  return call.entry == Entry::kReduce && call.op != MPI_OP_NULL && on.follows_tree(Collective::kReduce, call.root) &&
         Operation::commutes(call.op);
}

/// Nodes combine what their own ranks have.
bool is_order_kept(const Context& on, const CollectiveCall& call, const Operation& operation) {
  const bool matters = call.entry == Entry::kScan || call.entry == Entry::kExscan || !operation.reduction().commutative;
  return !matters || on.across == nullptr || on.across->keeps_order();
}

void run(const Context& on, const CollectiveCall& call, const std::byte* send, std::byte* receive, Bytes bytes,
         const Operation& operation) {
  const ReduceOperation& reduction = operation.reduction();
  switch (call.entry) {
    case Entry::kReduce:
      return on.carry_out(follows_reduce_tree(on, call),
                          [&](auto& group) { group.reduce(send, receive, bytes, reduction, call.root); });
    case Entry::kAllreduce:
      return on.carry_out([&](auto& group) { group.allreduce(send, receive, bytes, reduction); });
    case Entry::kScan:
      return on.carry_out([&](auto& group) { group.scan(send, receive, bytes, reduction); });
    case Entry::kExscan:
      return on.carry_out([&](auto& group) { group.exscan(send, receive, bytes, reduction); });
    default:
      break;
  }
  std::vector<Bytes> kept(static_cast<std::size_t>(on.ranks), bytes / on.ranks);
  for (std::int32_t rank = 0; call.entry == Entry::kReduce_scatter && rank < on.ranks; ++rank) {
    kept[static_cast<std::size_t>(rank)] = call.receive_counts[rank] * reduction.element_bytes;
  }
  on.carry_out([&](auto& group) { group.reduce_scatter(send, receive, kept, reduction); });
}

}  // namespace

bool replace_reduction(const Context& on, const CollectiveCall& call) {
  if (!is_usable(call.receive_type) || !is_root_valid(on, call)) {
    return false;
  }
  const BlockCounts counts = block_counts_of(on, call);
  const Datatype type = describe(call.receive_type);
  const bool by_tree = follows_reduce_tree(on, call);
  if (!counts.valid || !Operation::is_valid(call.op, type) || !are_buffers_valid(on, call, counts, type) ||
      !is_element_possible(on, call, type) ||
      !(by_tree || on.decides(call.entry, decided_bytes(on, call, counts, type)))) {
    return false;
  }
  if (counts.sent * type.size == 0) {
    return true;
  }
  const Operation operation(call.op, type);
  if (!by_tree && !is_order_kept(on, call, operation)) {
    return false;
  }
  const ReducedElements elements(type, call.op, counts.sent, counts.received);
  std::byte* const receive = elements.receive(call.receive);
  const bool in_place = call.send == MPI_IN_PLACE;
  run(on, call, in_place && type.is_contiguous ? receive : elements.send(in_place ? call.receive : call.send), receive,
      counts.sent * operation.reduction().element_bytes, operation);
  elements.store(receive, call.receive);
  return true;
}

}  // namespace postage::preload
