#pragma once

#include <postage/transport/executor.hpp>

#include <cstddef>
#include <vector>

namespace postage {

/// Elements of 8 bytes are functions x -> a*x + b on the integers modulo 2^32. Composition does not commute; adding
/// a to a and b to b does. Both are associative and exact.
constexpr Bytes kElementBytes = 8;
[[nodiscard]] Reduction composition();
[[nodiscard]] Reduction addition();

/// A rank's buffers before a collective and what must be in them after it, from the definition of the collective.
struct RankMemory {
  std::vector<std::byte> send;
  std::vector<std::byte> receive;
  std::vector<std::byte> expected;  ///< the beginning of `receive`
};

/// For an operation given by `reduction`, where the schedule's collective has one.
[[nodiscard]] RankMemory rank_memory(const Schedule& schedule, Rank rank, bool in_place, const Reduction& reduction);

/// The bytes in pieces that lie apart, with a mark in every byte between them.
[[nodiscard]] std::vector<std::byte> spread(const std::vector<std::byte>& bytes, const Strides& strides);

/// The same operation on elements that lie apart.
[[nodiscard]] Reduction on_pieces(const Reduction& reduction, const Strides& strides);

/// True where MPI lets the rank work in place.
[[nodiscard]] bool may_work_in_place(const Schedule& schedule, Rank rank);

}  // namespace postage
