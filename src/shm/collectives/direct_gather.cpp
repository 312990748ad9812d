// Gather, allgather and their v-variants in peers' memory: every block is posted by its owner and read by who needs it,
// or written by its owner where one rank would read very much.
#include "shm/collectives/direct_state.hpp"
#include "shm/collectives/direct_two.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace postage {
namespace {

using shm::DirectState;

/// Where a rank's block goes, and how long it is.
struct Block {
  std::byte* at = nullptr;
  Bytes bytes = 0;
};

/// Where the root wants one rank's block, and how much of it.
struct Place {
  std::uint64_t address = 0;
  Bytes bytes = 0;
};

/// So much in long blocks the root reads itself; of more each rank writes its own into the root's memory, all at once.
/// Measured among 16 ranks: equal at 1 MiB, a sixth to a quarter of the time at 16 MiB.
constexpr Bytes kMostReadByRoot = Bytes{1} << 20;

template <typename BlockOf>
bool are_written(const DirectState& state, const BlockOf& block_of) {
  const auto places = static_cast<Bytes>(sizeof(Place)) * state.ranks();
  if (!state.has_single_copy() || state.ranks() == 2 || places > DirectGroup::kSlotBytes) {
    return false;
  }
  Bytes long_blocks = 0;
  state.for_each_peer([&](std::int32_t peer) {
    const Bytes bytes = block_of(peer).bytes;
    long_blocks += state.is_copied_at_once(bytes) ? 0 : bytes;
  });
  return long_blocks > kMostReadByRoot;
}

template <typename BlockOf>
void post_places(DirectState& state, std::uint64_t step, const BlockOf& block_of) {
  const Bytes bytes = static_cast<Bytes>(sizeof(Place)) * state.ranks();
  std::byte* const to = state.claim(step, bytes);
  for (std::int32_t rank = 0; rank < state.ranks(); ++rank) {
    const Block block = block_of(rank);
    const Place place{reinterpret_cast<std::uintptr_t>(block.at), block.bytes};
    std::memcpy(to + static_cast<std::size_t>(rank) * sizeof place, &place, sizeof place);
  }
  state.publish(step, bytes);
}

/// A rank's part that is not the root: it posts its block, and writes it itself if the root says where.
void hand_over(DirectState& state, const std::byte* send, Bytes bytes, std::int32_t root) {
  const std::uint64_t step = state.next_step();
  if (!state.post_data(step, send, bytes)) {
    if (const auto places = state.await_post_or_done(root, step)) {
      Place own;
      std::memcpy(&own, places->data + static_cast<std::size_t>(state.rank()) * sizeof own, sizeof own);
      state.write_memory(root, own.address, send, std::min(own.bytes, bytes));
    }
  }
  state.done(step);
}

/// The root's part.
template <typename BlockOf>
void collect(DirectState& state, const std::byte* send, Bytes bytes, const BlockOf& block_of) {
  const std::uint64_t step = state.next_step();
  const bool others_write = are_written(state, block_of);
  if (others_write) {
    post_places(state, step, block_of);
  }
  DirectState::copy(block_of(state.rank()).at, send, bytes);
  state.for_each_peer([&](std::int32_t peer) {
    const Block block = block_of(peer);
    const DirectState::View post = state.await(peer, step);
    if (!others_write || post.kind != shm::PostKind::kAddress) {
      state.read(post, 0, block.at, block.bytes);
    }
  });
  if (others_write) {
    state.await_all_done(step);
  }
  state.done(step);
}

template <typename BlockOf>
void gather_blocks(DirectState& state, const std::byte* send, Bytes bytes, const BlockOf& block_of, std::int32_t root) {
  if (state.rank() == root) {
    collect(state, send, bytes, block_of);
  } else {
    hand_over(state, send, bytes, root);
  }
}

template <typename BlockOf>
void allgather_blocks(DirectState& state, const std::byte* send, Bytes bytes, const BlockOf& block_of) {
  const std::uint64_t step = state.next_step();
  const bool copied = state.post_data(step, send, bytes);
  DirectState::copy(block_of(state.rank()).at, send, bytes);
  state.for_each_peer([&](std::int32_t peer) {
    const Block block = block_of(peer);
    state.read(state.await(peer, step), 0, block.at, block.bytes);
  });
  state.done(step);
  if (!copied) {
    state.await_all_done(step);
  }
}

/// Blocks of `bytes` at a distance of `distance` from one another.
auto regular_blocks(std::byte* receive, Bytes distance, Bytes bytes) {
  return [=](std::int32_t rank) { return Block{receive + rank * distance, bytes}; };
}

auto irregular_blocks(std::byte* receive, std::span<const Bytes> counts, std::span<const Bytes> offsets) {
  return [=](std::int32_t rank) {
    const auto index = static_cast<std::size_t>(rank);
    return Block{receive + offsets[index], counts[index]};
  };
}

Bytes piece_of(const DirectState& state, Bytes bytes) {
  return state.is_copied(bytes) ? DirectGroup::kSlotBytes : bytes;
}

bool is_gathered_by_both(const DirectState& state, Bytes bytes) {
  return shm::is_moved_by_both(state, bytes, true);
}

/// Of two ranks; `block_of` is only asked by the root.
template <typename BlockOf>
void gather_from_other(DirectState& state, const std::byte* send, Bytes bytes, const BlockOf& block_of,
                       std::int32_t root) {
  shm::PairMove move{.out = send, .out_bytes = bytes, .receives = false};
  if (state.rank() == root) {
    const Block other = block_of(1 - root);
    move = {.in = other.at,
            .in_bytes = other.bytes,
            .own = send,
            .own_place = block_of(root).at,
            .own_bytes = bytes,
            .sends = false};
  }
  const Bytes moved = std::max(move.in_bytes, move.out_bytes);
  const auto act = is_gathered_by_both(state, moved) ? shm::move_by_both : shm::move_between_two;
  act(state, move);
}

}  // namespace

void DirectGroup::allgather(const std::byte* send, std::byte* receive, Bytes bytes) {
  shm::for_each_piece(bytes, piece_of(*state_, bytes), [&](Bytes at, Bytes length) {
    allgather_blocks(*state_, send + at, length, regular_blocks(receive + at, bytes, length));
  });
}

void DirectGroup::allgatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
                             std::span<const Bytes> offsets) {
  const Bytes most = *std::max_element(counts.begin(), counts.end());
  shm::for_each_piece(most, piece_of(*state_, most), [&](Bytes at, Bytes longest) {
    const auto piece = [&](std::int32_t rank) {
      const auto index = static_cast<std::size_t>(rank);
      return Block{receive + offsets[index] + at, std::clamp<Bytes>(counts[index] - at, 0, longest)};
    };
    allgather_blocks(*state_, send + at, std::clamp<Bytes>(bytes - at, 0, longest), piece);
  });
}

void DirectGroup::gather(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root) {
  if (is_gathered_by_both(*state_, bytes)) {
    gather_from_other(*state_, send, bytes, regular_blocks(receive, bytes, bytes), root);
    return;
  }
  shm::for_each_piece(bytes, piece_of(*state_, bytes), [&](Bytes at, Bytes length) {
    gather_blocks(*state_, send + at, length, regular_blocks(shm::piece_at(receive, at), bytes, length), root);
  });
}

void DirectGroup::gatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
                          std::span<const Bytes> offsets, std::int32_t root) {
  const auto blocks = irregular_blocks(receive, counts, offsets);
  if (state_->ranks() == 2) {
    gather_from_other(*state_, send, bytes, blocks, root);
  } else {
    gather_blocks(*state_, send, bytes, blocks, root);
  }
}

}  // namespace postage
