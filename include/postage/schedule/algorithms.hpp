#pragma once

#include <postage/schedule/schedule.hpp>

#include <span>
#include <string>
#include <string_view>

namespace postage {

/// What a schedule is built for.
struct ScheduleRequest {
  Rank ranks = 1;
  Rank root = 0;
  /// Bytes of the collective's message, as its MPI count says: the whole vector for bcast, reduce and allreduce; one
  /// rank's contribution for gather, scatter and allgather; one pair's block for alltoall; 0 for barrier.
  Bytes bytes = 0;
  /// Bytes of one element: cuts fall only between elements.
  Bytes element_bytes = 1;
  /// Bytes of a segment; 0 does not segment. Ignored by algorithms that are not pipelined.
  Bytes segment_bytes = 0;
};

/// One way to do a collective. The list of these drives dispatch, the command line, the tests and the documentation.
struct Algorithm {
  Collective collective;
  std::string_view name;
  /// What it does, in one sentence without an end.
  std::string_view summary;
  /// True where `segment_bytes` cuts it into a pipeline.
  bool segmentable;
  Schedule (*build)(const ScheduleRequest&);
};

/// Every algorithm, grouped by collective.
[[nodiscard]] std::span<const Algorithm> algorithms();

/// Those of one collective, in the list's order.
[[nodiscard]] std::span<const Algorithm> algorithms_of(Collective collective);

/// Throws UsageError listing the names that the collective has.
[[nodiscard]] const Algorithm& find_algorithm(Collective collective, std::string_view name);

/// Checks the request (ranks >= 1, root in range, bytes >= 0 and whole elements) and builds. Throws UsageError.
[[nodiscard]] Schedule build_schedule(const Algorithm& algorithm, const ScheduleRequest& request);

}  // namespace postage
