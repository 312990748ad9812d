// Scatter, alltoall and their v-variants in peers' memory: a rank posts the blocks of all others at once. Short ones
// are copied, together; where they differ in length, the post begins with a table of where each block is.
#include "shm/collectives/direct_state.hpp"
#include "shm/collectives/direct_two.hpp"

namespace postage {
namespace {

using shm::DirectState;
using shm::PostKind;

// ---- blocks of one length, `distance` bytes apart

/// The own block is not copied: nobody reads it.
void copy_blocks(DirectState& state, std::uint64_t step, const std::byte* send, Bytes distance, Bytes bytes) {
  const Bytes all = bytes * state.ranks();
  std::byte* const to = state.claim(step, all);
  for (std::int32_t rank = 0; rank < state.ranks(); ++rank) {
    if (rank != state.rank()) {
      DirectState::copy(to + rank * bytes, send + rank * distance, bytes);
    }
  }
  state.publish(step, all);
}

/// The bytes of a block that go in one step: few where all blocks together must fit into a slot.
struct Pieces {
  bool copied = false;
  Bytes longest = 1;
  Pieces(const DirectState& state, Bytes bytes)
      : copied(state.is_copied(bytes * state.ranks())),
        longest(copied ? std::max<Bytes>(DirectGroup::kSlotBytes / state.ranks(), 1) : bytes) {}
};

/// A rank's part in one step: pieces of the blocks that it sends, all blocks `distance` apart.
struct Piece {
  const std::byte* send = nullptr;
  Bytes distance = 0;
  Bytes bytes = 0;
  bool copied = false;
};

void post_piece(DirectState& state, std::uint64_t step, const Piece& piece) {
  if (piece.copied) {
    copy_blocks(state, step, piece.send, piece.distance, piece.bytes);
  } else {
    state.post_address(step, piece.send);
  }
}

void read_piece(DirectState& state, std::uint64_t step, const Piece& piece, std::int32_t from, std::byte* to) {
  state.read(state.await(from, step), state.rank() * (piece.copied ? piece.bytes : piece.distance), to, piece.bytes);
}

void release(DirectState& state, std::uint64_t step, bool copied) {
  if (!copied) {
    state.await_all_done(step);
  }
}

void scatter_piece(DirectState& state, const Piece& piece, std::byte* receive, std::int32_t root) {
  const std::uint64_t step = state.next_step();
  const bool is_root = state.rank() == root;
  if (is_root) {
    post_piece(state, step, piece);
    DirectState::copy(receive, piece.send + root * piece.distance, piece.bytes);
  } else {
    read_piece(state, step, piece, root, receive);
  }
  state.done(step);
  release(state, step, !is_root || piece.copied);
}

void alltoall_piece(DirectState& state, const Piece& piece, std::byte* receive) {
  const std::uint64_t step = state.next_step();
  const Bytes own = state.rank() * piece.distance;
  post_piece(state, step, piece);
  DirectState::copy(receive + own, piece.send + own, piece.bytes);
  state.for_each_peer(
      [&](std::int32_t peer) { read_piece(state, step, piece, peer, receive + peer * piece.distance); });
  state.done(step);
  release(state, step, piece.copied);
}

// ---- blocks of different lengths: address or 0 | where each block is | blocks, where there is no address

constexpr Bytes kAddressBytes = sizeof(std::uint64_t);

/// Whole cache lines: blocks that lay some bytes further into a line than where they come from took 1.5 times as long
/// to copy.
Bytes head_bytes(const DirectState& state) {
  constexpr Bytes kLine = 64;
  const Bytes listed = kAddressBytes + static_cast<Bytes>(sizeof(Bytes)) * state.ranks();
  return (listed + kLine - 1) / kLine * kLine;
}

/// Without the own block, which nobody reads.
Bytes bytes_for_others(std::span<const Bytes> counts, std::size_t own) {
  Bytes sum = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    sum += rank == own ? 0 : counts[rank];
  }
  return sum;
}

void copy_listed(std::byte* table, std::byte* data, const std::byte* send, std::span<const Bytes> counts,
                 std::span<const Bytes> offsets, std::size_t own) {
  Bytes at = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    std::memcpy(table + rank * sizeof at, &at, sizeof at);
    if (rank != own) {
      DirectState::copy(data + at, send + offsets[rank], counts[rank]);
      at += counts[rank];
    }
  }
}

/// Reading a block of another process takes a system call. So blocks of up to so many bytes, on average, are copied
/// together where they fit into all slots at once: at 16 ranks, of 2 KiB, 13 us instead of 33.
constexpr Bytes kCopiedBlock = Bytes{8} << 10;

/// Whether the blocks were copied, so that this rank may go on.
bool post_listed(DirectState& state, std::uint64_t step, const std::byte* send, std::span<const Bytes> counts,
                 std::span<const Bytes> offsets) {
  const Bytes head = head_bytes(state);
  const auto own = static_cast<std::size_t>(state.rank());
  const Bytes blocks = bytes_for_others(counts, own);
  const Bytes all = head + blocks;
  const bool in_slot = all <= DirectGroup::kSlotBytes;
  const bool is_spread = !in_slot && blocks <= kCopiedBlock * state.ranks() && all <= DirectState::kAllSlots;
  const bool copied = in_slot || is_spread;
  const std::uint64_t address = copied ? 0 : reinterpret_cast<std::uintptr_t>(send);
  std::byte* const to = is_spread ? state.claim_all_slots(step) : state.claim(step, in_slot ? all : head);
  std::memcpy(to, &address, sizeof address);
  if (copied) {
    copy_listed(to + kAddressBytes, to + head, send, counts, offsets, own);
  } else {
    std::memcpy(to + kAddressBytes, offsets.data(), offsets.size_bytes());
  }
  if (is_spread) {
    state.publish(step, PostKind::kSpread);
  } else {
    state.publish(step, in_slot ? all : head);
  }
  return copied;
}

void read_listed(DirectState& state, std::uint64_t step, std::int32_t from, std::byte* to, Bytes bytes) {
  const DirectState::View post = state.await(from, step);
  const std::uint64_t address = DirectState::address_in(post.data);
  Bytes offset = 0;
  std::memcpy(&offset, post.data + kAddressBytes + state.rank() * static_cast<Bytes>(sizeof offset), sizeof offset);
  if (address == 0) {
    DirectState::copy(to, post.data + head_bytes(state) + offset, bytes);
  } else if (bytes > 0) {
    state.read_memory(from, address + static_cast<std::uint64_t>(offset), to, bytes);
  }
}

shm::PairMove from_root_of_two(const std::byte* send, std::span<const Bytes> counts, std::span<const Bytes> offsets,
                               std::byte* receive, Bytes bytes, std::int32_t root) {
  const auto own = static_cast<std::size_t>(root);
  return {.out = send + offsets[1 - own],
          .out_bytes = counts[1 - own],
          .own = send + offsets[own],
          .own_place = receive,
          .own_bytes = bytes,
          .receives = false};
}

}  // namespace

void DirectGroup::scatter(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root) {
  const Pieces pieces(*state_, bytes);
  shm::for_each_piece(bytes, pieces.longest, [&](Bytes at, Bytes length) {
    scatter_piece(*state_, {shm::piece_at(send, at), bytes, length, pieces.copied}, receive + at, root);
  });
}

void DirectGroup::alltoall(const std::byte* send, std::byte* receive, Bytes bytes) {
  const Pieces pieces(*state_, bytes);
  shm::for_each_piece(bytes, pieces.longest, [&](Bytes at, Bytes length) {
    alltoall_piece(*state_, {send + at, bytes, length, pieces.copied}, receive + at);
  });
}

void DirectGroup::scatterv(const std::byte* send, std::span<const Bytes> counts, std::span<const Bytes> offsets,
                           std::byte* receive, Bytes bytes, std::int32_t root) {
  DirectState& state = *state_;
  if (state.ranks() == 2) {
    shm::move_between_two(state, state.rank() == root
                                     ? from_root_of_two(send, counts, offsets, receive, bytes, root)
                                     : shm::PairMove{.in = receive, .in_bytes = bytes, .sends = false});
    return;
  }
  const std::uint64_t step = state.next_step();
  bool copied = true;
  if (state.rank() == root) {
    copied = post_listed(state, step, send, counts, offsets);
    DirectState::copy(receive, send + offsets[static_cast<std::size_t>(root)], bytes);
  } else {
    read_listed(state, step, root, receive, bytes);
  }
  state.done(step);
  release(state, step, copied);
}

void DirectGroup::alltoallv(const std::byte* send, std::span<const Bytes> send_counts,
                            std::span<const Bytes> send_offsets, std::byte* receive,
                            std::span<const Bytes> receive_counts, std::span<const Bytes> receive_offsets) {
  DirectState& state = *state_;
  const auto self = static_cast<std::size_t>(state.rank());
  if (state.ranks() == 2) {
    shm::move_between_two(state, {.out = send + send_offsets[1 - self],
                                  .out_bytes = send_counts[1 - self],
                                  .in = receive + receive_offsets[1 - self],
                                  .in_bytes = receive_counts[1 - self],
                                  .own = send + send_offsets[self],
                                  .own_place = receive + receive_offsets[self],
                                  .own_bytes = receive_counts[self]});
    return;
  }
  const std::uint64_t step = state.next_step();
  const bool copied = post_listed(state, step, send, send_counts, send_offsets);
  DirectState::copy(receive + receive_offsets[self], send + send_offsets[self], receive_counts[self]);
  state.for_each_peer([&](std::int32_t peer) {
    const auto from = static_cast<std::size_t>(peer);
    read_listed(state, step, peer, receive + receive_offsets[from], receive_counts[from]);
  });
  state.done(step);
  release(state, step, copied);
}

}  // namespace postage
