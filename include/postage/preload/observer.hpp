#pragma once

#include <postage/base/units.hpp>
#include <postage/preload/entries.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace postage::preload {

/// The rank that runs the program, in MPI_COMM_WORLD.
struct JobRank {
  std::int32_t rank = 0;
  std::int32_t ranks = 1;
  std::int32_t node = 0;  ///< nodes are numbered by their lowest rank
  std::string library{};  ///< "openmpi" or "mpich"
  /// On a node of the job: then every call passes through, unless all are to be replaced.
  bool more_ranks_than_cores = false;
};

/// Whether a collective was one of those by which the library finds out what is fastest.
enum class Probe : std::uint8_t {
  kNone,
  kUncounted,  ///< carried out before those of its kind that are compared
  kCounted,
};

/// One call that the program made, when it has returned. Valid only while it is observed.
struct CallEvent {
  Entry entry = Entry::kBarrier;
  std::uint64_t communicator = 0;  ///< differs between communicators that exist at the same time; 0 where there is none
  std::int32_t ranks = 0;          ///< of the communicator
  std::span<const int> members{};  ///< world ranks of the communicator's ranks (of the remote group's)
  std::int32_t peer = -1;          ///< world rank of the target (of Sendrecv too) or of the collective's root; -1: none
  std::int32_t source = -1;        ///< world rank that a receive names or, in blocking ones, found; -1: any or none
  std::int32_t tag = -1;           ///< of the message sent or, where none is, received
  /// Bytes of this rank's message, or of a collective's signature as MPI's standard counts it: one block of gather,
  /// scatter, allgather and alltoall, the whole vector of bcast and the reductions; of v-variants what this rank sends.
  Bytes bytes = 0;
  Bytes received_bytes = 0;  ///< of receives: what came in, where the call says it; of v-variants what this rank gets
  /// Of Alltoallv, and of Gatherv, Scatterv, Allgatherv and Reduce_scatter where this rank knows them: bytes to (from)
  /// each rank; otherwise empty.
  std::span<const Bytes> bytes_by_rank{};
  /// Requests that the call started, or (Wait, Test, Request_free) that are complete now. A persistent request keeps
  /// its number. Numbers are used again.
  std::span<const std::uint64_t> requests{};
  Seconds began = 0;                ///< of CLOCK_MONOTONIC
  Seconds ended = 0;                ///< likewise
  const char* algorithm = nullptr;  ///< of a collective that was replaced: "direct", ...; nullptr: the library's own
  Probe probe = Probe::kNone;
  /// Of a blocking collective: the same number on all ranks of its communicator, and another one on each other
  /// communicator of this rank; 0 where ranks have not agreed on one (yet).
  std::uint64_t common_number = 0;
};

/// Gives rank 0 what every rank has, in the order of the ranks; other ranks get nothing. Collective over
/// MPI_COMM_WORLD.
using GatherText = std::function<std::vector<std::string>(const std::string&)>;

/// Sees the calls of one rank. Calls may come from several threads at a time. May throw nothing.
class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  virtual void observe(const CallEvent& event) = 0;
  /// In MPI_Finalize, before the library's own. Every rank calls it.
  virtual void finish(const GatherText& gather) = 0;
};

/// The observer that the environment asks for (POSTAGE_STATS, POSTAGE_TRACE), or none: then nothing is recorded, and
/// calls that are only observed are not intercepted. Called in MPI_Init.
[[nodiscard]] std::unique_ptr<Observer> make_observer(const JobRank& job);

/// The same question before MPI_Init, when the entries are installed.
[[nodiscard]] bool is_observer_wanted();

}  // namespace postage::preload
