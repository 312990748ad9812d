#include "preload/buffers.hpp"
#include "preload/replacements.hpp"

#include <algorithm>

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
  if (call.send_count < 0 || !is_usable(call.send_type)) {
    return false;
  }
  const Datatype type = describe(call.send_type);
  bytes = call.send_count * type.size;
  return is_memory(call.send, bytes, type.is_contiguous) && call.send != MPI_IN_PLACE;
}

const std::byte* sent(const CollectiveCall& call) {
  return packed(call.send, call.send_count, describe(call.send_type), 0);
}

bool follows_tree(const Context& on, const CollectiveCall& call) {
  return on.follows_tree(call.entry == Entry::kGather ? Collective::kGather : Collective::kAllgather, call.root);
}

void run(const Context& on, const CollectiveCall& call, const std::byte* send, std::byte* receive, Bytes bytes) {
  const bool by_tree = follows_tree(on, call);
  if (call.entry == Entry::kGather) {
    on.carry_out(by_tree, [&](auto& group) { group.gather(send, receive, bytes, call.root); });
  } else {
    on.carry_out(by_tree, [&](auto& group) { group.allgather(send, receive, bytes); });
  }
}

bool receive_regular(const Context& on, const CollectiveCall& call) {
  if (call.receive == MPI_IN_PLACE || call.receive_count < 0 || !is_usable(call.receive_type)) {
    return false;
  }
  const Datatype type = describe(call.receive_type);
  const Bytes bytes = call.receive_count * type.size;
  const bool in_place = call.send == MPI_IN_PLACE;
  Bytes send_bytes = bytes;
  if (!is_memory(call.receive, bytes, type.is_contiguous) || (!in_place && !is_valid_send(call, send_bytes)) ||
      send_bytes != bytes || !(follows_tree(on, call) || on.decides(call.entry, bytes))) {
    return false;
  }
  ReceivedBlocks blocks(call.receive, call.receive_count, type, on.ranks);
  run(on, call, in_place ? blocks.load(on.rank) : sent(call), blocks.data(), bytes);
  blocks.store();
  return true;
}

// ---- v-variants

/// `counts`: of gatherv only looked at on the root, who tells the others.
bool follows_irregular_tree(const Context& on, const CollectiveCall& call, std::span<const Bytes> counts) {
  if (on.trees == nullptr || call.entry == Entry::kAllgatherv) {
    return on.trees != nullptr && on.trees->has_blocks(Collective::kAllgather, 0, counts);
  }
  return on.trees->serves_irregular(Collective::kGather, call.root) &&
         on.trees->agree_on_blocks(Collective::kGather, call.root, counts);
}

void run(const Context& on, const CollectiveCall& call, const std::byte* send, Bytes bytes,
         const IrregularBlocks& blocks, bool by_tree) {
  if (call.entry == Entry::kGatherv) {
    on.carry_out_irregular(by_tree, [&](auto& group) {
      group.gatherv(send, bytes, blocks.data(), blocks.counts(), blocks.offsets(), call.root);
    });
  } else {
    on.carry_out(by_tree,
                 [&](auto& group) { group.allgatherv(send, bytes, blocks.data(), blocks.counts(), blocks.offsets()); });
  }
}

bool are_counts(const Integers& counts, const Integers& displacements, std::int32_t ranks) {
  bool valid = counts.is_given() && displacements.is_given();
  for (std::int32_t rank = 0; valid && rank < ranks; ++rank) {
    valid = counts[rank] >= 0;
  }
  return valid;
}

/// On a rank that receives; what all ranks know of the blocks' sizes.
bool decides_irregular(const Context& on, const CollectiveCall& call, std::span<const Bytes> counts) {
  if (call.entry == Entry::kAllgatherv) {
    return on.decides(call.entry, *std::max_element(counts.begin(), counts.end()));
  }
  return on.decides(call.entry, on.ranks == 2 ? counts[static_cast<std::size_t>(1 - on.rank)] : 0);
}

bool receive_irregular(const Context& on, const CollectiveCall& call) {
  if (call.receive == MPI_IN_PLACE || !is_usable(call.receive_type) ||
      !are_counts(call.receive_counts, call.receive_displacements, on.ranks)) {
    return false;
  }
  const bool in_place = call.send == MPI_IN_PLACE;
  const Datatype type = describe(call.receive_type);
  Bytes bytes = call.receive_counts[on.rank] * type.size;
  if (!in_place && !is_valid_send(call, bytes)) {
    return false;
  }
  IrregularBlocks blocks(call.receive, call.receive_counts, call.receive_displacements, type, on.ranks, 1);
  const bool by_tree = follows_irregular_tree(on, call, blocks.counts());
  if (!by_tree && !decides_irregular(on, call, blocks.counts())) {
    return false;
  }
  if (in_place) {
    blocks.load(on.rank);
  }
  run(on, call, in_place ? blocks.block(on.rank) : sent(call), bytes, blocks, by_tree);
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
  if (!is_valid_send(call, bytes) || !(follows_tree(on, call) || on.decides(call.entry, bytes))) {
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
  if (!is_valid_send(call, bytes)) {
    return false;
  }
  const bool by_tree = follows_irregular_tree(on, call, {});
  if (!by_tree && !on.decides(call.entry, on.ranks == 2 ? bytes : 0)) {
    return false;
  }
  on.carry_out_irregular(by_tree, [&](auto& group) { group.gatherv(sent(call), bytes, nullptr, {}, {}, call.root); });
  return true;
}

}  // namespace postage::preload
