#include "shm/collectives/direct_combine.hpp"

namespace postage::shm {
namespace {

/// Long contributions are combined in parts: long enough for the system call that reads one, short enough for a cache.
constexpr Bytes kCombinedPart = Bytes{64} << 10;

}  // namespace

const std::byte* Contributions::look(std::int32_t rank, Bytes offset, std::byte* room, Bytes bytes) {
  return rank == state_.rank() ? own_at(offset) : state_.look(state_.await(rank, step_), offset, room, bytes);
}

/// From the right, since an operation's right side is where its result may go: x_first op (... op (x_last-1 op
/// x_last)).
void Contributions::combine_part(std::int32_t first, std::int32_t last, Bytes offset, Bytes bytes, std::byte* out) {
  const bool in_place = out == own_at(offset);
  const std::byte* right = look(last, offset, first == last && !in_place ? out : state_.room(0, bytes), bytes);
  if (in_place && last != state_.rank()) {
    DirectState::copy(state_.room(2, bytes), out, bytes);
  }
  for (std::int32_t rank = last - 1; rank >= first; --rank) {
    const bool is_saved = in_place && last != state_.rank() && rank == state_.rank();
    const std::byte* left = is_saved ? state_.room(2, bytes) : look(rank, offset, state_.room(1, bytes), bytes);
    operation_.combine(operation_.context, left, right, out, bytes);
    right = out;
  }
  DirectState::copy(out, right, bytes);
}

void Contributions::combine(std::int32_t first, std::int32_t last, Bytes offset, Bytes bytes, std::byte* out) {
  const Bytes part = std::max<Bytes>(kCombinedPart / operation_.element_bytes, 1) * operation_.element_bytes;
  for (Bytes at = 0; at < bytes; at += part) {
    combine_part(first, last, offset + at, std::min(part, bytes - at), out + at);
  }
}

void Contributions::combine_each(Bytes offset, Bytes bytes, std::byte* out) {
  DirectState::copy(out, look(0, offset, state_.room(0, bytes), bytes), bytes);
  for (std::int32_t rank = 1; rank < state_.ranks(); ++rank) {
    std::byte* const to = out + rank * bytes;
    const std::byte* const right = look(rank, offset, state_.room(0, bytes), bytes);
    operation_.combine(operation_.context, to - bytes, right, to, bytes);
  }
}

}  // namespace postage::shm
