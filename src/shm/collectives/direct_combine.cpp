#include "shm/collectives/direct_combine.hpp"

namespace postage::shm {
namespace {

/// Long contributions are combined in parts: long enough for the system call that reads one, short enough for a cache.
/// Calls of two ranks into one another's memory wait for each other in the kernel, so that fewer, longer ones gain: 10
/// to 16 % of an allreduce from 256 KiB on.
constexpr Bytes kCombinedPart = Bytes{64} << 10;
constexpr Bytes kCombinedPartOfTwo = Bytes{256} << 10;

/// From so many bytes on both of two ranks combine what one of them wants: half of the time, and less, that it takes if
/// each combines one half and one then reads the other's results.
constexpr Bytes kLeastCombinedByBoth = Bytes{128} << 10;

/// What a rank posts of it: an address as in PostKind::kAddress, and another one.
struct Addresses {
  std::uint64_t contribution = 0;
  std::uint64_t result = 0;
};

/// Of whole elements: the taker combines more than half, since the other one moves its results, too.
Bytes first_part(const CombinedForOne& wanted, Bytes element) {
  return wanted.bytes / element * 5 / 8 * element;
}

/// The part of who does not take it.
void combine_rest(DirectState& state, std::uint64_t step, const CombinedForOne& wanted,
                  const ReduceOperation& operation) {
  const Bytes first = first_part(wanted, operation.element_bytes);
  const Bytes rest = wanted.bytes - first;
  Addresses taker;
  std::memcpy(&taker, state.await(wanted.taker, step).data, sizeof taker);
  std::byte* const to = state.room(3, rest);
  Contributions(state, step, wanted.send, operation).combine(0, 1, first, rest, to);
  state.write_memory(wanted.taker, taker.result + static_cast<std::uint64_t>(first), to, rest);
  if (wanted.receive != nullptr) {
    DirectState::copy(wanted.receive, wanted.send, wanted.bytes);
  }
}

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
  const Bytes longest = state_.ranks() == 2 ? kCombinedPartOfTwo : kCombinedPart;
  const Bytes part = std::max<Bytes>(longest / operation_.element_bytes, 1) * operation_.element_bytes;
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

bool is_combined_by_both(const DirectState& state, Bytes bytes) {
  return state.ranks() == 2 && bytes >= kLeastCombinedByBoth && !state.is_copied(bytes);
}

void combine_by_both(DirectState& state, const CombinedForOne& wanted, const ReduceOperation& operation) {
  const std::uint64_t step = state.next_step();
  const Addresses own{reinterpret_cast<std::uintptr_t>(wanted.send), reinterpret_cast<std::uintptr_t>(wanted.receive)};
  std::memcpy(state.claim(step, sizeof own), &own, sizeof own);
  state.publish(step, PostKind::kAddress);
  if (state.rank() == wanted.taker) {
    Contributions(state, step, wanted.send, operation)
        .combine(0, 1, 0, first_part(wanted, operation.element_bytes), wanted.receive);
  } else {
    combine_rest(state, step, wanted, operation);
  }
  state.done(step);
  state.await_done(1 - state.rank(), step);
}

}  // namespace postage::shm
