// Scan and exscan in peers' memory.
#include "shm/collectives/direct_combine.hpp"
#include "shm/collectives/direct_shares.hpp"
#include "shm/collectives/direct_two.hpp"

namespace postage {
namespace {

using shm::Contributions;
using shm::DirectState;
using shm::Share;

/// Up to so many bytes of all ranks together each rank combines what it needs itself.
constexpr Bytes kFlat = Bytes{8} << 10;

/// What a rank gets.
struct Wanted {
  std::byte* receive = nullptr;
  std::int32_t last = 0;  ///< of the ranks whose contributions are combined; of exscan's first rank -1: nothing
};

void prefix_flat(DirectState& state, const std::byte* send, const Wanted& wanted, Bytes bytes,
                 const ReduceOperation& operation) {
  const std::uint64_t step = state.next_step();
  const bool copied = state.is_copied_at_once(bytes);
  const std::byte* const own = copied ? send : shm::apart(state, send, wanted.receive, bytes);
  state.post_data(step, own, bytes);
  if (wanted.last >= 0) {
    Contributions(state, step, own, operation).combine(0, wanted.last, 0, bytes, wanted.receive);
  }
  state.done(step);
  if (!copied) {
    state.await_all_done(step);
  }
}

/// Each rank combines its share for all ranks, which read what they want of it: the last rank would have to read all
/// contributions, and every one of them would be read by half of the ranks. A rank writes a share only when that
/// share's owner has posted it, and so has read this rank's contribution to it.
void prefix_shared(DirectState& state, const std::byte* send, const Wanted& wanted, Bytes bytes,
                   const ReduceOperation& operation) {
  const Share own(bytes, operation.element_bytes, state.rank(), state.ranks());
  const Bytes results = own.bytes * state.ranks();
  const std::uint64_t combining = state.next_step();
  const std::uint64_t gathering = state.next_step();
  const bool copied = shm::is_copied(state, bytes, operation, state.ranks());
  if (copied) {
    state.post_copy(combining, send, bytes);
  } else {
    state.post_address(combining, send);
  }
  std::byte* const to = shm::claim_room(state, gathering, results, copied);
  Contributions(state, combining, send, operation).combine_each(own.offset, own.bytes, to);
  shm::post_room(state, gathering, to, results, copied);
  if (wanted.last >= 0) {
    DirectState::copy(wanted.receive + own.offset, to + wanted.last * own.bytes, own.bytes);
    shm::read_shares(state, gathering, wanted.receive, bytes, operation, wanted.last);
  }
  state.done(gathering);
  if (!copied) {
    state.await_all_done(gathering);
  }
}

void prefix(DirectState& state, const std::byte* send, const Wanted& wanted, Bytes bytes,
            const ReduceOperation& operation) {
  const bool is_flat = state.ranks() == 2 || bytes * state.ranks() <= kFlat;
  const auto act = is_flat ? prefix_flat : prefix_shared;
  const Bytes longest = shm::piece_of(state, bytes, operation, is_flat ? 1 : state.ranks());
  shm::for_each_piece(bytes, longest, [&](Bytes at, Bytes length) {
    act(state, send + at, {wanted.receive + at, wanted.last}, length, operation);
  });
}

}  // namespace

void DirectGroup::scan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation) {
  if (shm::is_combined_by_both(*state_, bytes)) {
    shm::combine_by_both(*state_, {1, send, receive, bytes}, operation);
    return;
  }
  prefix(*state_, send, {receive, state_->rank()}, bytes, operation);
}

void DirectGroup::exscan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation) {
  if (shm::is_moved_by_both(*state_, bytes)) {
    shm::give_by_both(*state_, 0, send, receive, bytes);
    return;
  }
  prefix(*state_, send, {receive, state_->rank() - 1}, bytes, operation);
}

}  // namespace postage
