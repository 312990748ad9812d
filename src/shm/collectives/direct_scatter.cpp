// Scatter, alltoall and their v-variants in peers' memory: a rank posts the blocks of all others at once. Short ones
// are copied, together; where they differ in length, the post begins with a table of where each block is.
#include "shm/collectives/direct_state.hpp"

namespace postage {
namespace {

using shm::DirectState;
using shm::PostKind;
using shm::Slot;

// ---- blocks of one length

/// Whether the blocks were copied. The own block is not: nobody reads it.
bool post_blocks(DirectState& state, std::uint64_t step, const std::byte* send, Bytes bytes) {
  if (!state.is_copied(bytes * state.ranks())) {
    state.post_address(step, send);
    return false;
  }
  Slot& slot = state.claim(step);
  const Bytes before = state.rank() * bytes;
  const Bytes after = before + bytes;
  DirectState::copy(slot.data, send, before);
  DirectState::copy(slot.data + after, send + after, state.ranks() * bytes - after);
  state.post(slot, step, PostKind::kCopied);
  return true;
}

void read_block(DirectState& state, std::uint64_t step, std::int32_t from, std::byte* to, Bytes bytes) {
  state.read(from, state.await(from, step), state.rank() * bytes, to, bytes);
}

// ---- blocks of different lengths

Bytes table_bytes(const DirectState& state) {
  return static_cast<Bytes>(sizeof(Bytes)) * state.ranks();
}

Bytes sum_of(std::span<const Bytes> counts) {
  Bytes sum = 0;
  for (const Bytes count : counts) {
    sum += count;
  }
  return sum;
}

void copy_blocks(std::byte* table, std::byte* data, const std::byte* send, std::span<const Bytes> counts,
                 std::span<const Bytes> offsets) {
  Bytes at = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    std::memcpy(table + rank * sizeof at, &at, sizeof at);
    DirectState::copy(data + at, send + offsets[rank], counts[rank]);
    at += counts[rank];
  }
}

/// table | blocks, or table | address.
bool post_table(DirectState& state, std::uint64_t step, const std::byte* send, std::span<const Bytes> counts,
                std::span<const Bytes> offsets) {
  const Bytes table = table_bytes(state);
  Slot& slot = state.claim(step);
  const bool copied = state.is_copied(table + sum_of(counts));
  if (copied) {
    copy_blocks(slot.data, slot.data + table, send, counts, offsets);
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(send);
    std::memcpy(slot.data, offsets.data(), static_cast<std::size_t>(table));
    std::memcpy(slot.data + table, &address, sizeof address);
  }
  state.post(slot, step, copied ? PostKind::kCopied : PostKind::kAddress);
  return copied;
}

void read_listed(DirectState& state, std::uint64_t step, std::int32_t from, std::byte* to, Bytes bytes) {
  const Slot& slot = state.await(from, step);
  const Bytes table = table_bytes(state);
  Bytes offset = 0;
  std::memcpy(&offset, slot.data + static_cast<std::size_t>(state.rank()) * sizeof offset, sizeof offset);
  if (slot.kind == PostKind::kCopied) {
    DirectState::copy(to, slot.data + table + offset, bytes);
  } else if (bytes > 0) {
    const std::uint64_t base = DirectState::address_in(slot, static_cast<std::size_t>(table));
    state.read_memory(from, base + static_cast<std::uint64_t>(offset), to, bytes);
  }
}

void release(DirectState& state, std::uint64_t step, bool copied) {
  if (!copied) {
    state.await_all_done(step);
  }
}

}  // namespace

void DirectGroup::scatter(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root) {
  DirectState& state = *state_;
  const std::uint64_t step = state.next_step();
  bool copied = true;
  if (state.rank() == root) {
    copied = post_blocks(state, step, send, bytes);
    DirectState::copy(receive, send + root * bytes, bytes);
  } else {
    read_block(state, step, root, receive, bytes);
  }
  state.done(step);
  release(state, step, copied);
}

void DirectGroup::scatterv(const std::byte* send, std::span<const Bytes> counts, std::span<const Bytes> offsets,
                           std::byte* receive, Bytes bytes, std::int32_t root) {
  DirectState& state = *state_;
  const std::uint64_t step = state.next_step();
  bool copied = true;
  if (state.rank() == root) {
    copied = post_table(state, step, send, counts, offsets);
    DirectState::copy(receive, send + offsets[static_cast<std::size_t>(root)], bytes);
  } else {
    read_listed(state, step, root, receive, bytes);
  }
  state.done(step);
  release(state, step, copied);
}

void DirectGroup::alltoall(const std::byte* send, std::byte* receive, Bytes bytes) {
  DirectState& state = *state_;
  const std::uint64_t step = state.next_step();
  const Bytes own = state.rank() * bytes;
  const bool copied = post_blocks(state, step, send, bytes);
  DirectState::copy(receive + own, send + own, bytes);
  state.for_each_peer([&](std::int32_t peer) { read_block(state, step, peer, receive + peer * bytes, bytes); });
  state.done(step);
  release(state, step, copied);
}

void DirectGroup::alltoallv(const std::byte* send, std::span<const Bytes> send_counts,
                            std::span<const Bytes> send_offsets, std::byte* receive,
                            std::span<const Bytes> receive_counts, std::span<const Bytes> receive_offsets) {
  DirectState& state = *state_;
  const std::uint64_t step = state.next_step();
  const auto self = static_cast<std::size_t>(state.rank());
  const bool copied = post_table(state, step, send, send_counts, send_offsets);
  DirectState::copy(receive + receive_offsets[self], send + send_offsets[self], receive_counts[self]);
  state.for_each_peer([&](std::int32_t peer) {
    const auto from = static_cast<std::size_t>(peer);
    read_listed(state, step, peer, receive + receive_offsets[from], receive_counts[from]);
  });
  state.done(step);
  release(state, step, copied);
}

}  // namespace postage
