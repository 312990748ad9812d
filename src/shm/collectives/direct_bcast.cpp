// Barrier and bcast in peers' memory.
#include "shm/collectives/direct_state.hpp"
#include "shm/collectives/direct_two.hpp"

namespace postage {
namespace {

using shm::DirectState;

/// Up to so many ranks each looks at all others; of more, rank 0 does, and releases them.
constexpr std::int32_t kFlatRanks = 16;

void announce(DirectState& state, std::uint64_t step) {
  state.post_copy(step, nullptr, 0);
}

void await_all(DirectState& state, std::uint64_t step) {
  state.for_each_peer([&](std::int32_t peer) { static_cast<void>(state.await(peer, step)); });
}

void flat_barrier(DirectState& state) {
  const std::uint64_t step = state.next_step();
  announce(state, step);
  await_all(state, step);
  state.done(step);
}

void central_barrier(DirectState& state) {
  const std::uint64_t arrival = state.next_step();
  const std::uint64_t release = state.next_step();
  if (state.rank() == 0) {
    await_all(state, arrival);
    announce(state, release);
  } else {
    announce(state, arrival);
    static_cast<void>(state.await(0, release));
  }
  state.done(release);
}

/// Through the root's slots, piece by piece: others read one piece while the root writes the next.
void bcast_copied(DirectState& state, std::span<std::byte> buffer, std::int32_t root) {
  shm::for_each_piece(static_cast<Bytes>(buffer.size()), DirectGroup::kSlotBytes, [&](Bytes at, Bytes length) {
    const std::uint64_t step = state.next_step();
    if (state.rank() == root) {
      state.post_copy(step, buffer.data() + at, length);
    } else {
      DirectState::copy(buffer.data() + at, state.await(root, step).data, length);
    }
    state.done(step);
  });
}

void bcast_by_both(DirectState& state, std::span<std::byte> buffer, std::int32_t root) {
  shm::give_by_both(state, root, buffer.data(), buffer.data(), static_cast<Bytes>(buffer.size()));
}

void bcast_read(DirectState& state, std::span<std::byte> buffer, std::int32_t root) {
  const std::uint64_t step = state.next_step();
  if (state.rank() == root) {
    state.post_address(step, buffer.data());
    state.done(step);
    state.await_all_done(step);
    return;
  }
  state.read(state.await(root, step), 0, buffer.data(), static_cast<Bytes>(buffer.size()));
  state.done(step);
}

}  // namespace

void DirectGroup::barrier() {
  if (state_->ranks() <= kFlatRanks) {
    flat_barrier(*state_);
  } else {
    central_barrier(*state_);
  }
}

void DirectGroup::bcast(std::span<std::byte> buffer, std::int32_t root) {
  const auto bytes = static_cast<Bytes>(buffer.size());
  const auto read = shm::is_moved_by_both(*state_, bytes) ? bcast_by_both : bcast_read;
  const auto act = state_->is_copied(bytes) ? bcast_copied : read;
  act(*state_, buffer, root);
}

}  // namespace postage
