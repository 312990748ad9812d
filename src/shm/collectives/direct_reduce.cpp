// Reductions in peers' memory: contributions are combined where they lie, or part by part as they are read.
#include "shm/collectives/direct_combine.hpp"

namespace postage {
namespace {

using shm::Contributions;
using shm::DirectState;

/// Up to so many bytes every rank combines all contributions itself: one step instead of two.
constexpr Bytes kFlatBytes = 2048;

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
                    const Reduction& operation) {
  const std::uint64_t step = state.next_step();
  state.post_copy(step, send, bytes);
  Contributions(state, step, state.own_post(step).data, operation).combine(0, state.ranks() - 1, 0, bytes, receive);
  state.done(step);
}

/// Reduce-scatter, then allgather: each rank combines its share and reads the others'. A rank writes a share that is
/// not its own only when that share's owner has posted it, and so has read this rank's contribution to it.
void allreduce_shared(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes,
                      const Reduction& operation) {
  const Share own(bytes, operation.element_bytes, state.rank(), state.ranks());
  const std::uint64_t combining = state.next_step();
  state.post_data(combining, send, bytes);
  Contributions(state, combining, send, operation)
      .combine(0, state.ranks() - 1, own.offset, own.bytes, receive + own.offset);
  state.done(combining);
  const std::uint64_t gathering = state.next_step();
  const bool copied = state.is_copied(bytes);
  if (copied) {
    state.post_copy(gathering, receive + own.offset, own.bytes);
  } else {
    state.post_address(gathering, receive + own.offset);
  }
  state.for_each_peer([&](std::int32_t peer) {
    const Share share(bytes, operation.element_bytes, peer, state.ranks());
    state.read(peer, state.await(peer, gathering), 0, receive + share.offset, share.bytes);
  });
  state.done(gathering);
  if (!copied) {
    state.await_all_done(gathering);
  }
}

/// Long data of one place only: others read the contribution while the result is written, so it is moved away.
const std::byte* apart(DirectState& state, const std::byte* send, const std::byte* receive, Bytes bytes) {
  if (send != receive || state.is_copied(bytes)) {
    return send;
  }
  std::byte* const room = state.room(3, bytes);
  DirectState::copy(room, send, bytes);
  return room;
}

/// out = x_first op ... op x_last on this rank, if `first` <= `last`.
void prefix(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes, const Reduction& operation,
            std::int32_t last) {
  const std::uint64_t step = state.next_step();
  const std::byte* const own = apart(state, send, receive, bytes);
  const bool copied = state.post_data(step, own, bytes);
  if (last >= 0) {
    Contributions(state, step, copied ? state.own_post(step).data : own, operation).combine(0, last, 0, bytes, receive);
  }
  state.done(step);
  if (!copied) {
    state.await_all_done(step);
  }
}

/// Without single copy, data that are too long for a slot go piece by piece.
template <typename Act>
void for_each_piece(const DirectState& state, Bytes bytes, const Reduction& operation, const Act& act) {
  const Bytes longest = DirectGroup::kSlotBytes / operation.element_bytes * operation.element_bytes;
  if (state.has_single_copy() || bytes <= longest) {
    act(0, bytes);
    return;
  }
  for (Bytes at = 0; at < bytes; at += longest) {
    act(at, std::min(longest, bytes - at));
  }
}

void reduce_piece(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes,
                  const Reduction& operation, std::int32_t root) {
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

void DirectGroup::reduce(const std::byte* send, std::byte* receive, Bytes bytes, const Reduction& operation,
                         std::int32_t root) {
  for_each_piece(*state_, bytes, operation, [&](Bytes at, Bytes length) {
    reduce_piece(*state_, send + at, receive + at, length, operation, root);
  });
}

void DirectGroup::allreduce(const std::byte* send, std::byte* receive, Bytes bytes, const Reduction& operation) {
  const auto act = bytes <= kFlatBytes ? allreduce_flat : allreduce_shared;
  for_each_piece(*state_, bytes, operation,
                 [&](Bytes at, Bytes length) { act(*state_, send + at, receive + at, length, operation); });
}

void DirectGroup::reduce_scatter(const std::byte* send, std::byte* receive, std::span<const Bytes> counts,
                                 const Reduction& operation) {
  DirectState& state = *state_;
  Bytes total = 0;
  Bytes offset = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    offset = rank == static_cast<std::size_t>(state.rank()) ? total : offset;
    total += counts[rank];
  }
  const std::uint64_t step = state.next_step();
  const std::byte* const own = apart(state, send, receive, total);
  const bool copied = state.post_data(step, own, total);
  Contributions(state, step, copied ? state.own_post(step).data : own, operation)
      .combine(0, state.ranks() - 1, offset, counts[static_cast<std::size_t>(state.rank())], receive);
  state.done(step);
  if (!copied) {
    state.await_all_done(step);
  }
}

void DirectGroup::scan(const std::byte* send, std::byte* receive, Bytes bytes, const Reduction& operation) {
  for_each_piece(*state_, bytes, operation, [&](Bytes at, Bytes length) {
    prefix(*state_, send + at, receive + at, length, operation, state_->rank());
  });
}

void DirectGroup::exscan(const std::byte* send, std::byte* receive, Bytes bytes, const Reduction& operation) {
  for_each_piece(*state_, bytes, operation, [&](Bytes at, Bytes length) {
    prefix(*state_, send + at, receive + at, length, operation, state_->rank() - 1);
  });
}

}  // namespace postage
