#include "preload/buffers.hpp"
#include "preload/replacements.hpp"

#include <postage/base/memory_copy.hpp>

#include <algorithm>

namespace postage::preload {
namespace {

bool is_valid_block(const void* buffer, std::int64_t count, MPI_Datatype handle, Bytes& bytes) {
  if (count < 0 || !is_usable(handle) || buffer == MPI_IN_PLACE) {
    return false;
  }
  const Datatype type = describe(handle);
  bytes = count * type.size;
  return is_memory(buffer, bytes, type.is_contiguous);
}

bool are_irregular(const Integers& counts, const Integers& displacements, MPI_Datatype type, std::int32_t ranks) {
  bool valid = is_usable(type) && counts.is_given() && displacements.is_given();
  for (std::int32_t rank = 0; valid && rank < ranks; ++rank) {
    valid = counts[rank] >= 0;
  }
  return valid;
}

/// Room for a copy of what is to be sent in place: others read it while this rank receives.
constexpr int kSendRoom = 0;

const std::byte* copied(const std::byte* data, Bytes bytes) {
  std::byte* const copy = thread_room(kSendRoom, bytes);
  move_memory(copy, data, bytes);
  return copy;
}

/// Of what the root sends, nullptr elsewhere, this rank's block into its receive buffer.
void receive_scattered(const Context& on, const CollectiveCall& call, const std::byte* send, Bytes bytes) {
  const Datatype type = describe(call.receive_type);
  ReceivedBlocks block(call.receive, call.receive_count, type, 1);
  on.carry_out(on.follows_tree(Collective::kScatter, call.root),
               [&](auto& group) { group.scatter(send, block.data(), bytes, call.root); });
  block.store();
}

bool decides_scatter(const Context& on, const CollectiveCall& call, Bytes bytes) {
  return on.follows_tree(Collective::kScatter, call.root) || on.decides(Entry::kScatter, bytes);
}

bool scatter_from_root(const Context& on, const CollectiveCall& call) {
  Bytes bytes = 0;
  const bool in_place = call.receive == MPI_IN_PLACE;
  Bytes receive_bytes = 0;
  if (!is_valid_block(call.send, call.send_count, call.send_type, bytes) ||
      (!in_place && !is_valid_block(call.receive, call.receive_count, call.receive_type, receive_bytes)) ||
      (!in_place && receive_bytes != bytes) || !decides_scatter(on, call, bytes)) {
    return false;
  }
  const std::byte* const send = packed(call.send, call.send_count * on.ranks, describe(call.send_type), kSendRoom);
  if (in_place) {
    std::byte* const own = const_cast<std::byte*>(send) + on.rank * bytes;
    on.carry_out(on.follows_tree(Collective::kScatter, call.root),
                 [&](auto& group) { group.scatter(send, own, bytes, call.root); });
    return true;
  }
  receive_scattered(on, call, send, bytes);
  return true;
}

bool scatter_to_others(const Context& on, const CollectiveCall& call) {
  Bytes bytes = 0;
  if (!is_valid_block(call.receive, call.receive_count, call.receive_type, bytes) ||
      !decides_scatter(on, call, bytes)) {
    return false;
  }
  receive_scattered(on, call, nullptr, bytes);
  return true;
}

bool replace_alltoall(const Context& on, const CollectiveCall& call) {
  Bytes bytes = 0;
  const bool in_place = call.send == MPI_IN_PLACE;
  Bytes send_bytes = 0;
  if (!is_valid_block(call.receive, call.receive_count, call.receive_type, bytes) ||
      (!in_place && !is_valid_block(call.send, call.send_count, call.send_type, send_bytes)) ||
      (!in_place && send_bytes != bytes) || !on.decides(Entry::kAlltoall, bytes)) {
    return false;
  }
  const Datatype type = describe(call.receive_type);
  ReceivedBlocks blocks(call.receive, call.receive_count, type, on.ranks);
  for (std::int32_t rank = 0; in_place && rank < on.ranks; ++rank) {
    blocks.load(rank);
  }
  const std::byte* const send =
      in_place ? copied(blocks.data(), on.ranks * bytes)
               : packed(call.send, call.send_count * on.ranks, describe(call.send_type), kSendRoom);
  on.carry_out([&](auto& group) { group.alltoall(send, blocks.data(), bytes); });
  blocks.store();
  return true;
}

// ---- v-variants

/// `counts`: only looked at on the root, who tells the others.
bool follows_irregular_scatter(const Context& on, const CollectiveCall& call, std::span<const Bytes> counts) {
  return on.trees != nullptr && on.trees->serves_irregular(Collective::kScatter, call.root) &&
         on.trees->agree_on_blocks(Collective::kScatter, call.root, counts);
}

void scatterv(const Context& on, const CollectiveCall& call, bool by_tree, const std::byte* send,
              std::span<const Bytes> counts, std::span<const Bytes> offsets) {
  const Datatype type = describe(call.receive_type);
  ReceivedBlocks block(call.receive, call.receive_count, type, 1);
  on.carry_out_irregular(by_tree, [&](auto& group) {
    group.scatterv(send, counts, offsets, block.data(), block.block_bytes(), call.root);
  });
  block.store();
}

bool scatterv_from_root(const Context& on, const CollectiveCall& call) {
  const bool in_place = call.receive == MPI_IN_PLACE;
  Bytes bytes = 0;
  if (!are_irregular(call.send_counts, call.send_displacements, call.send_type, on.ranks) ||
      (!in_place && !is_valid_block(call.receive, call.receive_count, call.receive_type, bytes))) {
    return false;
  }
  const Datatype type = describe(call.send_type);
  IrregularBlocks blocks(call.send, call.send_counts, call.send_displacements, type, on.ranks, kSendRoom);
  const bool by_tree = follows_irregular_scatter(on, call, blocks.counts());
  if (!by_tree && !on.decides(Entry::kScatterv, on.ranks == 2 ? call.send_counts[1 - on.rank] * type.size : 0)) {
    return false;
  }
  blocks.load_all();
  if (in_place) {
    on.carry_out_irregular(by_tree, [&](auto& group) {
      group.scatterv(blocks.data(), blocks.counts(), blocks.offsets(), blocks.block(on.rank), blocks.bytes(on.rank),
                     call.root);
    });
  } else {
    scatterv(on, call, by_tree, blocks.data(), blocks.counts(), blocks.offsets());
  }
  return true;
}

/// Others read what is sent while this rank receives.
void alltoallv_in_place(const Context& on, IrregularBlocks& blocks) {
  Bytes sum = 0;
  std::vector<Bytes> offsets;
  for (const Bytes bytes : blocks.counts()) {
    offsets.push_back(sum);
    sum += bytes;
  }
  blocks.load_all();
  std::byte* const send = thread_room(kSendRoom, sum);
  for (std::int32_t rank = 0; rank < on.ranks; ++rank) {
    move_memory(send + offsets[static_cast<std::size_t>(rank)], blocks.block(rank), blocks.bytes(rank));
  }
  on.within_node([&](DirectGroup& group) {
    group.alltoallv(send, blocks.counts(), offsets, blocks.data(), blocks.counts(), blocks.offsets());
  });
}

/// Of two ranks the longer one of the blocks that go from one to the other, which both know.
Bytes known_bytes(const Context& on, const CollectiveCall& call) {
  if (on.ranks != 2) {
    return 0;
  }
  const int peer = 1 - on.rank;
  const Bytes received = call.receive_counts[peer] * size_of(call.receive_type);
  return call.send == MPI_IN_PLACE ? received : std::max(received, call.send_counts[peer] * size_of(call.send_type));
}

bool replace_alltoallv(const Context& on, const CollectiveCall& call) {
  const bool in_place = call.send == MPI_IN_PLACE;
  if (!are_irregular(call.receive_counts, call.receive_displacements, call.receive_type, on.ranks) ||
      (!in_place && !are_irregular(call.send_counts, call.send_displacements, call.send_type, on.ranks)) ||
      !on.decides(Entry::kAlltoallv, known_bytes(on, call))) {
    return false;
  }
  const Datatype type = describe(call.receive_type);
  IrregularBlocks blocks(call.receive, call.receive_counts, call.receive_displacements, type, on.ranks, 1);
  if (in_place) {
    alltoallv_in_place(on, blocks);
  } else {
    const Datatype send_type = describe(call.send_type);
    IrregularBlocks send(call.send, call.send_counts, call.send_displacements, send_type, on.ranks, kSendRoom);
    send.load_all();
    on.within_node([&](DirectGroup& group) {
      group.alltoallv(send.data(), send.counts(), send.offsets(), blocks.data(), blocks.counts(), blocks.offsets());
    });
  }
  blocks.store();
  return true;
}

}  // namespace

bool replace_scattering(const Context& on, const CollectiveCall& call) {
  if (call.entry == Entry::kAlltoall) {
    return replace_alltoall(on, call);
  }
  if (call.root < 0 || call.root >= on.ranks) {
    return false;
  }
  return on.rank == call.root ? scatter_from_root(on, call) : scatter_to_others(on, call);
}

bool replace_irregular_scattering(const Context& on, const CollectiveCall& call) {
  if (call.entry == Entry::kAlltoallv) {
    return replace_alltoallv(on, call);
  }
  if (call.root < 0 || call.root >= on.ranks) {
    return false;
  }
  if (on.rank == call.root) {
    return scatterv_from_root(on, call);
  }
  Bytes bytes = 0;
  if (!is_valid_block(call.receive, call.receive_count, call.receive_type, bytes)) {
    return false;
  }
  const bool by_tree = follows_irregular_scatter(on, call, {});
  if (!by_tree && !on.decides(Entry::kScatterv, on.ranks == 2 ? bytes : 0)) {
    return false;
  }
  scatterv(on, call, by_tree, nullptr, {}, {});
  return true;
}

}  // namespace postage::preload
