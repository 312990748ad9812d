#pragma once

#include "shm/collectives/direct_state.hpp"

#include <algorithm>

namespace postage::shm {

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

/// Reads the peers' shares of `bytes` as soon as each posts its own for `step`, to where they belong in `receive`; of
/// posts that hold several results of a share one behind the other the `result`-th.
inline void read_shares(DirectState& state, std::uint64_t step, std::byte* receive, Bytes bytes,
                        const ReduceOperation& operation, std::int32_t result = 0) {
  state.for_each_peer([&](std::int32_t peer) {
    const Share share(bytes, operation.element_bytes, peer, state.ranks());
    state.read(state.await(peer, step), result * share.bytes, receive + share.offset, share.bytes);
  });
}

/// Where a rank computes `bytes` that it posts for `step`: post_room() makes them visible.
[[nodiscard]] inline std::byte* claim_room(DirectState& state, std::uint64_t step, Bytes bytes, bool copied) {
  return copied ? state.claim(step, bytes) : state.room(3, bytes);
}
inline void post_room(DirectState& state, std::uint64_t step, const std::byte* room, Bytes bytes, bool copied) {
  if (copied) {
    state.publish(step, bytes);
  } else {
    state.post_address(step, room);
  }
}

/// Whether `bytes` that each rank contributes go through slots, `parts` elements at once.
[[nodiscard]] inline bool is_copied(const DirectState& state, Bytes bytes, const ReduceOperation& operation,
                                    Bytes parts = 1) {
  return state.is_copied(bytes) && operation.element_bytes * parts <= DirectGroup::kSlotBytes;
}

/// Of what goes through slots, `parts` equal parts of whole elements that fit into one together; else everything.
[[nodiscard]] inline Bytes piece_of(const DirectState& state, Bytes bytes, const ReduceOperation& operation,
                                    Bytes parts = 1) {
  const Bytes unit = operation.element_bytes * parts;
  return is_copied(state, bytes, operation, parts) ? DirectGroup::kSlotBytes / unit * unit : bytes;
}

/// Long data of one place only: others read the contribution while the result is written, so it is moved away.
[[nodiscard]] inline const std::byte* apart(DirectState& state, const std::byte* send, const std::byte* receive,
                                            Bytes bytes) {
  if (send != receive) {
    return send;
  }
  std::byte* const room = state.room(3, bytes);
  DirectState::copy(room, send, bytes);
  return room;
}

}  // namespace postage::shm
