// Reductions in peers' memory: contributions are combined where they lie, or part by part as they are read.
#include "shm/collectives/direct_combine.hpp"

#include <algorithm>

namespace postage {
namespace {

using shm::Contributions;
using shm::DirectState;

/// Up to so many bytes, and at two ranks of all lengths that are copied, every rank combines all contributions itself:
/// one step instead of two.
constexpr Bytes kFlatBytes = 2048;

/// Elements that fit into a slot.
Bytes longest_piece(const ReduceOperation& operation) {
  return DirectGroup::kSlotBytes / operation.element_bytes * operation.element_bytes;
}

/// The bytes of rank `rank`'s share: whole elements, as equal as they get.
struct Share {
  Bytes offset = 0;
  Bytes bytes = 0;
  Share(Bytes total, Bytes element, std::int32_t rank, std::int32_t ranks) {
    const Bytes elements = total / element;
    const Bytes first = elements * rank / ranks;
    offset = first * element;
    bytes = (elements * (rank + 1) / ranks - first) * element;
  }
};

/// Every rank combines everything.
void allreduce_flat(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes,
                    const ReduceOperation& operation) {
  const std::uint64_t step = state.next_step();
  state.post_copy(step, send, bytes);
  Contributions(state, step, state.own_copy(step, bytes), operation).combine(0, state.ranks() - 1, 0, bytes, receive);
  state.done(step);
}

/// Reduce-scatter, then allgather: each rank combines its share and reads the others'. A rank writes a share that is
/// not its own only when that share's owner has posted it, and so has read this rank's contribution to it.
void allreduce_shared(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes,
                      const ReduceOperation& operation) {
  const Share own(bytes, operation.element_bytes, state.rank(), state.ranks());
  const std::uint64_t combining = state.next_step();
  const bool copied = state.post_data(combining, send, bytes);
  Contributions(state, combining, send, operation)
      .combine(0, state.ranks() - 1, own.offset, own.bytes, receive + own.offset);
  state.done(combining);
  const std::uint64_t gathering = state.next_step();
  if (copied) {
    state.post_copy(gathering, receive + own.offset, own.bytes);
  } else {
    state.post_address(gathering, receive + own.offset);
  }
  state.for_each_peer([&](std::int32_t peer) {
    const Share share(bytes, operation.element_bytes, peer, state.ranks());
    state.read(state.await(peer, gathering), 0, receive + share.offset, share.bytes);
  });
  state.done(gathering);
  if (!copied) {
    state.await_all_done(gathering);
  }
}

/// Long data of one place only: others read the contribution while the result is written, so it is moved away.
const std::byte* apart(DirectState& state, const std::byte* send, const std::byte* receive, Bytes bytes) {
  if (send != receive) {
    return send;
  }
  std::byte* const room = state.room(3, bytes);
  DirectState::copy(room, send, bytes);
  return room;
}

/// out = x_first op ... op x_last on this rank, if `first` <= `last`.
void prefix(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes,
            const ReduceOperation& operation, std::int32_t last) {
  const std::uint64_t step = state.next_step();
  const bool copied = state.is_copied_at_once(bytes);
  const std::byte* own = copied ? send : apart(state, send, receive, bytes);
  state.post_data(step, own, bytes);
  own = copied ? state.own_copy(step, bytes) : own;
  if (last >= 0) {
    Contributions(state, step, own, operation).combine(0, last, 0, bytes, receive);
  }
  state.done(step);
  if (!copied) {
    state.await_all_done(step);
  }
}

/// Whether `bytes` that each rank contributes go through slots, `parts` elements at once.
bool is_copied(const DirectState& state, Bytes bytes, const ReduceOperation& operation, Bytes parts = 1) {
  return state.is_copied(bytes) && operation.element_bytes * parts <= DirectGroup::kSlotBytes;
}

Bytes piece_of(const DirectState& state, Bytes bytes, const ReduceOperation& operation) {
  return is_copied(state, bytes, operation) ? longest_piece(operation) : bytes;
}

/// Part of every block.
struct BlockPiece {
  Bytes at = 0;
  Bytes bytes = 0;
  [[nodiscard]] Bytes of(Bytes block) const { return std::clamp<Bytes>(block - at, 0, bytes); }
};

void reduce_scatter_piece(DirectState& state, const std::byte* send, std::byte* receive, std::span<const Bytes> counts,
                          const ReduceOperation& operation, const BlockPiece& piece) {
  const std::uint64_t step = state.next_step();
  const Bytes all = piece.bytes * state.ranks();
  std::byte* const to = state.claim(step, all);
  Bytes block = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    DirectState::copy(to + static_cast<Bytes>(rank) * piece.bytes, send + block + piece.at, piece.of(counts[rank]));
    block += counts[rank];
  }
  state.publish(step, all);
  Contributions(state, step, to, operation)
      .combine(0, state.ranks() - 1, state.rank() * piece.bytes,
               piece.of(counts[static_cast<std::size_t>(state.rank())]), receive + piece.at);
  state.done(step);
}

void reduce_scatter_read(DirectState& state, const std::byte* send, std::byte* receive, std::span<const Bytes> counts,
                         const ReduceOperation& operation, Bytes total) {
  const auto self = static_cast<std::size_t>(state.rank());
  Bytes offset = 0;
  for (std::size_t rank = 0; rank < self; ++rank) {
    offset += counts[rank];
  }
  const std::uint64_t step = state.next_step();
  const std::byte* const own = apart(state, send, receive, total);
  state.post_address(step, own);
  Contributions(state, step, own, operation).combine(0, state.ranks() - 1, offset, counts[self], receive);
  state.done(step);
  state.await_all_done(step);
}

void reduce_piece(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes,
                  const ReduceOperation& operation, std::int32_t root) {
  const std::uint64_t step = state.next_step();
  if (state.rank() == root) {
    Contributions(state, step, send, operation).combine(0, state.ranks() - 1, 0, bytes, receive);
    state.done(step);
    return;
  }
  const bool copied = state.post_data(step, send, bytes);
  state.done(step);
  if (!copied) {
    state.await_done(root, step);
  }
}

}  // namespace

void DirectGroup::reduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation,
                         std::int32_t root) {
  shm::for_each_piece(bytes, piece_of(*state_, bytes, operation), [&](Bytes at, Bytes length) {
    reduce_piece(*state_, send + at, shm::piece_at(receive, at), length, operation, root);
  });
}

void DirectGroup::allreduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation) {
  const bool is_flat = bytes <= kFlatBytes || (state_->ranks() == 2 && is_copied(*state_, bytes, operation));
  const auto act = is_flat ? allreduce_flat : allreduce_shared;
  shm::for_each_piece(bytes, piece_of(*state_, bytes, operation),
                      [&](Bytes at, Bytes length) { act(*state_, send + at, receive + at, length, operation); });
}

void DirectGroup::reduce_scatter(const std::byte* send, std::byte* receive, std::span<const Bytes> counts,
                                 const ReduceOperation& operation) {
  Bytes total = 0;
  for (const Bytes count : counts) {
    total += count;
  }
  if (is_copied(*state_, total, operation, state_->ranks())) {
    const Bytes most = *std::max_element(counts.begin(), counts.end());
    const Bytes longest = longest_piece(operation) / state_->ranks() / operation.element_bytes;
    shm::for_each_piece(most, longest * operation.element_bytes, [&](Bytes at, Bytes length) {
      reduce_scatter_piece(*state_, send, receive, counts, operation, {at, length});
    });
  } else {
    reduce_scatter_read(*state_, send, receive, counts, operation, total);
  }
}

void DirectGroup::scan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation) {
  shm::for_each_piece(bytes, piece_of(*state_, bytes, operation), [&](Bytes at, Bytes length) {
    prefix(*state_, send + at, receive + at, length, operation, state_->rank());
  });
}

void DirectGroup::exscan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation) {
  shm::for_each_piece(bytes, piece_of(*state_, bytes, operation), [&](Bytes at, Bytes length) {
    prefix(*state_, send + at, receive + at, length, operation, state_->rank() - 1);
  });
}

}  // namespace postage
