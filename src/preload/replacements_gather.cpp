#include "preload/buffers.hpp"
#include "preload/replacements.hpp"

namespace postage::preload {
namespace {

bool is_valid_root(const Context& on, const CollectiveCall& call) {
  return call.entry == Entry::kAllgather || call.entry == Entry::kAllgatherv ||
         (call.root >= 0 && call.root < on.ranks);
}

bool receives(const Context& on, const CollectiveCall& call) {
  return call.entry == Entry::kAllgather || call.entry == Entry::kAllgatherv || on.rank == call.root;
}

bool is_valid_send(const CollectiveCall& call, Bytes& bytes) {
  if (call.send_count < 0 || call.send_type == MPI_DATATYPE_NULL) {
    return false;
  }
  const Datatype type = describe(call.send_type);
  bytes = call.send_count * type.size;
  return is_memory(call.send, bytes, type.is_contiguous) && call.send != MPI_IN_PLACE;
}

const std::byte* sent(const CollectiveCall& call) {
  return packed(call.send, call.send_count, describe(call.send_type), 0);
}

void run(const Context& on, const CollectiveCall& call, const std::byte* send, std::byte* receive, Bytes bytes) {
  if (call.entry == Entry::kGather) {
    on.carry_out([&](auto& group) { group.gather(send, receive, bytes, call.root); });
  } else {
    on.carry_out([&](auto& group) { group.allgather(send, receive, bytes); });
  }
}

bool receive_regular(const Context& on, const CollectiveCall& call) {
  if (call.receive_count < 0 || call.receive_type == MPI_DATATYPE_NULL) {
    return false;
  }
  const Datatype type = describe(call.receive_type);
  const Bytes bytes = call.receive_count * type.size;
  const bool in_place = call.send == MPI_IN_PLACE;
  Bytes send_bytes = bytes;
  if (!is_memory(call.receive, bytes, type.is_contiguous) || (!in_place && !is_valid_send(call, send_bytes)) ||
      send_bytes != bytes || !on.decides(call.entry, bytes)) {
    return false;
  }
  ReceivedBlocks blocks(call.receive, call.receive_count, type, on.ranks);
  run(on, call, in_place ? blocks.load(on.rank) : sent(call), blocks.data(), bytes);
  blocks.store();
  return true;
}

// ---- v-variants

void run(const Context& on, const CollectiveCall& call, const std::byte* send, Bytes bytes,
         const IrregularBlocks& blocks) {
  if (call.entry == Entry::kGatherv) {
    on.direct.gatherv(send, bytes, blocks.data(), blocks.counts(), blocks.offsets(), call.root);
  } else {
    on.direct.allgatherv(send, bytes, blocks.data(), blocks.counts(), blocks.offsets());
  }
}

bool are_counts(const Integers& counts, const Integers& displacements, std::int32_t ranks) {
  bool valid = counts.is_given() && displacements.is_given();
  for (std::int32_t rank = 0; valid && rank < ranks; ++rank) {
    valid = counts[rank] >= 0;
  }
  return valid;
}

/// On a rank that receives.
bool decides_irregular(const Context& on, const CollectiveCall& call, const Datatype& type) {
  const bool knows_block = call.entry == Entry::kGatherv && on.ranks == 2;
  return on.decides(call.entry, knows_block ? call.receive_counts[1 - on.rank] * type.size : 0);
}

bool receive_irregular(const Context& on, const CollectiveCall& call) {
  if (call.receive_type == MPI_DATATYPE_NULL ||
      !are_counts(call.receive_counts, call.receive_displacements, on.ranks)) {
    return false;
  }
  const bool in_place = call.send == MPI_IN_PLACE;
  const Datatype type = describe(call.receive_type);
  Bytes bytes = call.receive_counts[on.rank] * type.size;
  if ((!in_place && !is_valid_send(call, bytes)) || !decides_irregular(on, call, type)) {
    return false;
  }
  IrregularBlocks blocks(call.receive, call.receive_counts, call.receive_displacements, type, on.ranks, 1);
  if (in_place) {
    blocks.load(on.rank);
  }
  run(on, call, in_place ? blocks.block(on.rank) : sent(call), bytes, blocks);
  blocks.store(in_place ? on.rank : -1);
  return true;
}

}  // namespace

bool replace_gathering(const Context& on, const CollectiveCall& call) {
  if (!is_valid_root(on, call)) {
    return false;
  }
  if (receives(on, call)) {
    return receive_regular(on, call);
  }
  Bytes bytes = 0;
  if (!is_valid_send(call, bytes) || !on.decides(call.entry, bytes)) {
    return false;
  }
  run(on, call, sent(call), nullptr, bytes);
  return true;
}

bool replace_irregular_gathering(const Context& on, const CollectiveCall& call) {
  if (!is_valid_root(on, call)) {
    return false;
  }
  if (receives(on, call)) {
    return receive_irregular(on, call);
  }
  Bytes bytes = 0;
  if (!is_valid_send(call, bytes) || !on.decides(call.entry, on.ranks == 2 ? bytes : 0)) {
    return false;
  }
  on.direct.gatherv(sent(call), bytes, nullptr, {}, {}, call.root);
  return true;
}

}  // namespace postage::preload
