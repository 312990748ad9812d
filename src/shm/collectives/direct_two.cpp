#include "shm/collectives/direct_two.hpp"

namespace postage::shm {
namespace {

struct PairPiece {
  Bytes at = 0;
  Bytes longest = 0;
  [[nodiscard]] Bytes of(Bytes block) const { return std::clamp<Bytes>(block - at, 0, longest); }
};

void move_piece(DirectState& state, const PairMove& move, std::int32_t peer, const PairPiece& piece) {
  const std::uint64_t step = state.next_step();
  const bool copied = !move.sends || state.post_data(step, move.out + piece.at, piece.of(move.out_bytes));
  DirectState::copy(piece_at(move.own_place, piece.at), piece_at(move.own, piece.at), piece.of(move.own_bytes));
  if (move.receives) {
    state.read(state.await(peer, step), 0, move.in + piece.at, piece.of(move.in_bytes));
  }
  state.done(step);
  if (!copied) {
    state.await_done(peer, step);
  }
}

}  // namespace

void move_between_two(DirectState& state, const PairMove& move) {
  const std::int32_t peer = 1 - state.rank();
  const Bytes most = std::max(move.out_bytes, move.in_bytes);
  const Bytes longest = state.is_copied(most) ? DirectGroup::kSlotBytes : most;
  Bytes moved = 0;
  for_each_piece(most, longest, [&](Bytes at, Bytes length) {
    move_piece(state, move, peer, {at, length});
    moved = at + length;
  });
  if (moved < move.own_bytes) {
    DirectState::copy(move.own_place + moved, move.own + moved, move.own_bytes - moved);
  }
}

}  // namespace postage::shm
