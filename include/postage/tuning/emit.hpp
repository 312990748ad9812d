#pragma once

#include <postage/tuning/decision_table.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// A file below the folder that files are written into.
struct EmittedFile {
  std::string path{};
  std::string text{};
  bool operator==(const EmittedFile&) const = default;
};

/// Where a transport goes from eager messages to those that wait for their receiver.
struct EagerLimits {
  std::optional<Bytes> shared_memory{};
  std::optional<Bytes> network{};
};

struct EmitOptions {
  std::string folder = "/opt/postage/tuned";  ///< where the files will be, an absolute path
  EagerLimits eager_limits{};
  /// Targets whose files cannot be tried here: their README says so.
  std::vector<TuningTarget> not_tried{};
};

struct EmittedFiles {
  std::vector<EmittedFile> files{};
  std::vector<std::string> notes{};  ///< what a library's file cannot say, a sentence each
};

/// Files with which stock libraries do what the tables say, one table a library: rules of coll/tuned (text before Open
/// MPI 6.0, JSON from it on) and coll/han, MPICH's selection trees and variables, UCC's ucc.conf and UCC_TL_UCP_TUNE,
/// Intel MPI's I_MPI_ADJUST_*; env.sh and a modulefile that set them; a README; and the tables themselves. Where no
/// rule holds the library's default does. Throws UsageError for a target or a release without such files, or a release
/// of which it is not known what it reads.
[[nodiscard]] EmittedFiles emit(std::span<const DecisionTable> tables, const EmitOptions& options = {});

/// What a library calls the size of a message, for a collective of `bytes` as ScheduleRequest says, bytes of
/// `element_bytes`. 0 where it does not look at sizes.
///
/// Open MPI: P * m for allgather, alltoall, gather and scatter, P times one element for scan and exscan, 0 for barrier,
/// m for the others. MPICH: P * m for allgather, P * (m / type) for gather and scatter, m for the others. UCC: P * m
/// for allgather, alltoall, gather and scatter, m / P for reduce_scatter. Intel MPI: m.
[[nodiscard]] Bytes library_bytes(TuningTarget target, Collective collective, Rank ranks, Bytes bytes,
                                  Bytes element_bytes = 1);

}  // namespace postage
