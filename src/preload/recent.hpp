#pragma once

#include "preload/call.hpp"
#include "preload/decision.hpp"

#include <postage/base/units.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace postage::preload {

struct Communicator;

/// Of each collective; by default every call has to be looked at.
using PassedByEntry = std::array<PassedSizes, kCollectiveEntries>;

/// What a thread asked for last, since most calls ask for the same again.
struct Recent {
  MPI_Comm handle{};
  /// Forgotten whenever any communicator is freed, since handles are used again.
  std::uint64_t generation = ~std::uint64_t{0};
  Communicator* communicator = nullptr;
  const PassedSizes* passed = nullptr;  ///< the communicator's, by entry
  std::int32_t rank = 0;                ///< in the communicator
  std::int32_t ranks = 0;
  /// A named one: these are never freed, so that their handles keep their meaning.
  MPI_Datatype type{};
  Bytes type_bytes = 0;
};

// Without code that initialises it, which each use would have to look for.
extern constinit thread_local Recent recent [[gnu::tls_model("initial-exec")]];
extern std::atomic<std::uint64_t> communicator_generation;

/// The part of a call by whose bytes it is decided on. Of gather and scatter, whose root may work in place, the one
/// that every rank has; of allgatherv the longest block, of reduce_scatter the mean one; of other v-variants of two
/// ranks the (longer) block that goes from one to the other.
struct DecidedPart {
  std::int64_t count = 0;
  MPI_Datatype type{};
  bool is_known = false;
};

[[nodiscard]] inline DecidedPart mean_block(const Integers& counts, MPI_Datatype type, std::int32_t ranks) {
  std::int64_t sum = 0;
  for (std::int32_t rank = 0; counts.is_given() && rank < ranks; ++rank) {
    sum += counts[rank];
  }
  return {sum / ranks, type, counts.is_given()};
}

[[nodiscard]] inline DecidedPart longest_block(const Integers& counts, MPI_Datatype type, std::int32_t ranks) {
  std::int64_t longest = 0;
  for (std::int32_t rank = 0; counts.is_given() && rank < ranks; ++rank) {
    longest = std::max(longest, counts[rank]);
  }
  return {longest, type, counts.is_given()};
}

[[nodiscard]] inline DecidedPart longer_way(const CollectiveCall& call, std::int32_t rank, std::int32_t ranks) {
  const bool in_place = call.send == MPI_IN_PLACE;
  if (ranks != 2 || !call.receive_counts.is_given() ||
      !(in_place || (call.send_counts.is_given() && call.send_type == call.receive_type))) {
    return {};
  }
  const std::int64_t received = call.receive_counts[1 - rank];
  return {in_place ? received : std::max(received, call.send_counts[1 - rank]), call.receive_type, true};
}

template <Entry kEntry>
[[nodiscard]] DecidedPart decided_part(const CollectiveCall& call, std::int32_t rank, std::int32_t ranks) {
  if constexpr (kEntry == Entry::kGatherv) {
    return rank != call.root ? DecidedPart{call.send_count, call.send_type, ranks == 2}
                             : (ranks == 2 && call.receive_counts.is_given()
                                    ? DecidedPart{call.receive_counts[1 - rank], call.receive_type, true}
                                    : DecidedPart{});
  } else if constexpr (kEntry == Entry::kScatterv) {
    return rank != call.root ? DecidedPart{call.receive_count, call.receive_type, ranks == 2}
                             : (ranks == 2 && call.send_counts.is_given()
                                    ? DecidedPart{call.send_counts[1 - rank], call.send_type, true}
                                    : DecidedPart{});
  } else if constexpr (kEntry == Entry::kAllgatherv) {
    return longest_block(call.receive_counts, call.receive_type, ranks);
  } else if constexpr (kEntry == Entry::kReduce_scatter) {
    return mean_block(call.receive_counts, call.receive_type, ranks);
  } else if constexpr (kEntry == Entry::kAlltoallv) {
    return longer_way(call, rank, ranks);
  } else if constexpr (kEntry == Entry::kGather) {
    return {call.send_count, call.send_type, call.send != MPI_IN_PLACE};
  } else {
    return {call.receive_count, call.receive_type, kEntry != Entry::kScatter || call.receive != MPI_IN_PLACE};
  }
}

/// Whether a call surely passes through, by what the thread remembers alone. Calls no function, so that an entry which
/// asks this first saves no registers.
template <Entry kEntry>
[[nodiscard]] inline bool passes_at_a_glance(const CollectiveCall& call) {
  const Recent& last = recent;
  if (last.handle != call.communicator || last.generation != communicator_generation.load(std::memory_order_acquire)) {
    return false;
  }
  const PassedSizes& passed = last.passed[static_cast<std::size_t>(kEntry)];
  if constexpr (kEntry == Entry::kBarrier) {
    return passed.contain(0);
  } else {
    if (passed.are_all() || passed.are_none()) {
      return passed.are_all();
    }
    const DecidedPart part = decided_part<kEntry>(call, last.rank, last.ranks);
    return part.is_known && part.type == last.type && passed.contain(part.count * last.type_bytes);
  }
}

}  // namespace postage::preload
