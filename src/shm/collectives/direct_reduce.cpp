// Reductions in peers' memory: contributions are combined where they lie, or part by part as they are read.
#include "shm/collectives/direct_combine.hpp"
#include "shm/collectives/direct_shares.hpp"

#include <algorithm>

namespace postage {
namespace {

using shm::Contributions;
using shm::DirectState;
using shm::Share;

/// Up to so many bytes of all ranks together, and at two ranks of all lengths that are copied, every rank that wants
/// the result combines all contributions itself: one step instead of two. A root, which the others need not wait for,
/// combines more.
constexpr Bytes kFlatAllreduce = Bytes{8} << 10;
constexpr Bytes kFlatReduce = Bytes{16} << 10;

bool is_flat(const DirectState& state, Bytes bytes, const ReduceOperation& operation, Bytes most) {
  return bytes * state.ranks() <= most || (state.ranks() == 2 && shm::is_copied(state, bytes, operation));
}

/// Every rank combines everything.
void allreduce_flat(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes,
                    const ReduceOperation& operation) {
  const std::uint64_t step = state.next_step();
  state.post_copy(step, send, bytes);
  Contributions(state, step, send, operation).combine(0, state.ranks() - 1, 0, bytes, receive);
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
  shm::read_shares(state, gathering, receive, bytes, operation);
  state.done(gathering);
  if (!copied) {
    state.await_all_done(gathering);
  }
}

/// Part of every block.
struct BlockPiece {
  Bytes at = 0;
  Bytes bytes = 0;
  [[nodiscard]] Bytes of(Bytes block) const { return std::clamp<Bytes>(block - at, 0, bytes); }
};

/// Without the own block, which nobody else reads.
void reduce_scatter_piece(DirectState& state, const std::byte* send, std::byte* receive, std::span<const Bytes> counts,
                          const ReduceOperation& operation, const BlockPiece& piece) {
  const std::uint64_t step = state.next_step();
  const Bytes all = piece.bytes * state.ranks();
  std::byte* const to = state.claim(step, all);
  const std::byte* own = nullptr;
  Bytes own_bytes = 0;
  const std::byte* from = send + piece.at;
  for (std::int32_t rank = 0; rank < state.ranks(); ++rank) {
    const Bytes block = counts[static_cast<std::size_t>(rank)];
    if (rank == state.rank()) {
      own = from;
      own_bytes = piece.of(block);
    } else {
      DirectState::copy(to + rank * piece.bytes, from, piece.of(block));
    }
    from += block;
  }
  state.publish(step, all);
  // In place the result may be written over parts of it.
  own = shm::apart(state, own, send == receive ? own : nullptr, own_bytes);
  const Bytes offset = state.rank() * piece.bytes;
  Contributions(state, step, own, operation, offset)
      .combine(0, state.ranks() - 1, offset, own_bytes, receive + piece.at);
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
  const std::byte* const own = shm::apart(state, send, receive, total);
  state.post_address(step, own);
  Contributions(state, step, own, operation).combine(0, state.ranks() - 1, offset, counts[self], receive);
  state.done(step);
  state.await_all_done(step);
}

/// The root combines everything.
void reduce_flat(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes,
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

/// Each rank combines its share, and the root reads them: all cores add, and the root reads the data twice instead of
/// once for each rank.
void reduce_shared(DirectState& state, const std::byte* send, std::byte* receive, Bytes bytes,
                   const ReduceOperation& operation, std::int32_t root) {
  const Share own(bytes, operation.element_bytes, state.rank(), state.ranks());
  const std::uint64_t combining = state.next_step();
  const std::uint64_t gathering = state.next_step();
  const bool copied = state.post_data(combining, send, bytes);
  Contributions contributions(state, combining, send, operation);
  if (state.rank() == root) {
    contributions.combine(0, state.ranks() - 1, own.offset, own.bytes, receive + own.offset);
    state.done(combining);
    shm::read_shares(state, gathering, receive, bytes, operation);
    state.done(gathering);
    return;
  }
  std::byte* const to = shm::claim_room(state, gathering, own.bytes, copied);
  contributions.combine(0, state.ranks() - 1, own.offset, own.bytes, to);
  shm::post_room(state, gathering, to, own.bytes, copied);
  state.done(gathering);
  if (!copied) {
    state.await_done(root, gathering);
  }
}

}  // namespace

void DirectGroup::reduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation,
                         std::int32_t root) {
  if (shm::is_combined_by_both(*state_, bytes)) {
    shm::combine_by_both(*state_, {root, send, state_->rank() == root ? receive : nullptr, bytes}, operation);
    return;
  }
  const auto act = is_flat(*state_, bytes, operation, kFlatReduce) ? reduce_flat : reduce_shared;
  shm::for_each_piece(bytes, shm::piece_of(*state_, bytes, operation), [&](Bytes at, Bytes length) {
    act(*state_, send + at, shm::piece_at(receive, at), length, operation, root);
  });
}

void DirectGroup::allreduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation) {
  const auto act = is_flat(*state_, bytes, operation, kFlatAllreduce) ? allreduce_flat : allreduce_shared;
  shm::for_each_piece(bytes, shm::piece_of(*state_, bytes, operation),
                      [&](Bytes at, Bytes length) { act(*state_, send + at, receive + at, length, operation); });
}

void DirectGroup::reduce_scatter(const std::byte* send, std::byte* receive, std::span<const Bytes> counts,
                                 const ReduceOperation& operation) {
  Bytes total = 0;
  for (const Bytes count : counts) {
    total += count;
  }
  if (shm::is_copied(*state_, total, operation, state_->ranks())) {
    const Bytes most = *std::max_element(counts.begin(), counts.end());
    const Bytes longest = shm::piece_of(*state_, total, operation, state_->ranks()) / state_->ranks();
    shm::for_each_piece(most, longest, [&](Bytes at, Bytes length) {
      reduce_scatter_piece(*state_, send, receive, counts, operation, {at, length});
    });
  } else {
    reduce_scatter_read(*state_, send, receive, counts, operation, total);
  }
}

}  // namespace postage
