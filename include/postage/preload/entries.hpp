#pragma once

#include <cstdint>

namespace postage::preload {

// Entry points of MPI that the preload library wraps, by the last part of their names. Large-count variants
// (MPI_Bcast_c) and Fortran's entries belong to the same one.

/// Blocking collectives: replaced where that is faster.
#define POSTAGE_COLLECTIVE_NAMES(X) \
  X(Barrier)                        \
  X(Bcast)                          \
  X(Reduce)                         \
  X(Allreduce)                      \
  X(Allgather)                      \
  X(Allgatherv)                     \
  X(Gather)                         \
  X(Gatherv) X(Scatter) X(Scatterv) X(Alltoall) X(Alltoallv) X(Reduce_scatter) X(Reduce_scatter_block) X(Scan) X(Exscan)

/// Calls that are only observed, and only where somebody asked for statistics or a trace.
// clang-format breaks these lines anew each time.
// clang-format off
#define POSTAGE_OBSERVED_NAMES(X)                                                                                     \
  X(Send) X(Bsend) X(Ssend) X(Rsend) X(Isend) X(Ibsend) X(Issend) X(Irsend) X(Recv) X(Irecv) X(Sendrecv)              \
  X(Sendrecv_replace) X(Send_init) X(Bsend_init) X(Ssend_init) X(Rsend_init) X(Recv_init) X(Start) X(Startall)        \
  X(Wait) X(Waitall) X(Waitany) X(Waitsome) X(Test) X(Testall) X(Testany) X(Testsome) X(Request_free) X(Probe)        \
  X(Ibarrier) X(Ibcast) X(Ireduce) X(Iallreduce) X(Iallgather) X(Igather) X(Iscatter) X(Ialltoall)
// clang-format on

enum class Entry : std::uint8_t {
#define POSTAGE_ENUMERATOR(NAME) k##NAME,
  POSTAGE_COLLECTIVE_NAMES(POSTAGE_ENUMERATOR) POSTAGE_OBSERVED_NAMES(POSTAGE_ENUMERATOR)
#undef POSTAGE_ENUMERATOR
};

inline constexpr int kCollectiveEntries = static_cast<int>(Entry::kExscan) + 1;
inline constexpr int kEntries = static_cast<int>(Entry::kIalltoall) + 1;

[[nodiscard]] constexpr bool is_blocking_collective(Entry entry) {
  return entry <= Entry::kExscan;
}

/// "MPI_Bcast".
[[nodiscard]] constexpr const char* name_of(Entry entry) {
  constexpr const char* kNames[] = {
#define POSTAGE_NAME(NAME) "MPI_" #NAME,
      POSTAGE_COLLECTIVE_NAMES(POSTAGE_NAME) POSTAGE_OBSERVED_NAMES(POSTAGE_NAME)
#undef POSTAGE_NAME
  };
  return kNames[static_cast<int>(entry)];
}

}  // namespace postage::preload
