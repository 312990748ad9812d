#pragma once

#include <postage/schedule/schedule.hpp>

#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Values of an algorithm's own parameters, by name.
using ParameterValues = std::map<std::string, Index, std::less<>>;

/// What a schedule is built for.
struct ScheduleRequest {
  Rank ranks = 1;
  Rank root = 0;
  /// Bytes of the collective's message, as its MPI count says: the whole vector for bcast, reduce, allreduce,
  /// reduce_scatter, scan and exscan; one rank's contribution for gather, scatter and allgather; one pair's block for
  /// alltoall; 0 for barrier.
  Bytes bytes = 0;
  /// Bytes of one element: cuts fall only between elements.
  Bytes element_bytes = 1;
  /// Bytes of a segment; 0 does not segment. Ignored by algorithms that are not segmentable.
  Bytes segment_bytes = 0;
  /// False for an operation that must be applied in rank order.
  bool commutative = true;
  Calls calls = Calls::kOverlapping;
  /// Those left out have their defaults.
  ParameterValues parameters{};

  /// The v-variants, instead of `bytes`: bytes of each of the P blocks of gather, scatter, allgather and
  /// reduce_scatter, or of each of the P*P blocks of alltoall. Empty where they are equal.
  std::vector<Bytes> block_bytes{};

  /// The value of one of the algorithm's parameters; only builders call it, and by then every parameter has a value.
  [[nodiscard]] Index parameter(std::string_view name) const { return parameters.find(name)->second; }
};

/// An integer that an algorithm takes beside the message: a radix, a number of chains.
struct AlgorithmParameter {
  std::string_view name;
  /// What it is, in one phrase.
  std::string_view summary;
  Index default_value = 0;
  Index minimum = 0;
  Index maximum = std::numeric_limits<std::int32_t>::max();
};

/// Which numbers of ranks an algorithm can do. One is always possible: then nothing is to be done.
enum class RankRule { kAny, kPowerOfTwo, kEven };

/// The same algorithm elsewhere: what to ask stock libraries for.
struct Counterparts {
  /// Open MPI: number in coll_tuned (coll_tuned_<collective>_algorithm); 0 where it has none.
  int open_mpi = 0;
  /// MPICH: value of MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM; empty where it has none.
  std::string_view mpich{};
  /// SimGrid's SMPI: value of --cfg=smpi/<collective>; empty where it has none.
  std::string_view smpi{};
};

/// One algorithm of a collective. The list of these drives dispatch, the command line, the tests and the documentation.
struct Algorithm {
  Collective collective;
  std::string_view name;
  /// What it does, in one sentence without an end.
  std::string_view summary;
  /// True where `segment_bytes` cuts it: build_schedule applies `segmented` to what `build` returns.
  bool segmentable;
  /// Never called for one rank. Builds the unsegmented stages and the layout.
  Schedule (*build)(const ScheduleRequest&);
  /// Reductions only: it can serve an operation that does not commute (ScheduleRequest::commutative false).
  bool keeps_order = false;
  RankRule rank_rule = RankRule::kAny;
  std::vector<AlgorithmParameter> parameters{};
  Counterparts counterparts{};
  /// Other names of the very same algorithm in the literature; find_algorithm knows them too.
  std::vector<std::string_view> also_called{};
};

/// True where the algorithm can do this number of ranks.
[[nodiscard]] bool can_do(const Algorithm& algorithm, Rank ranks);

/// True where one rank has a part of its own: bcast, reduce, gather, scatter.
[[nodiscard]] bool has_root(Collective collective);

/// True where the collective applies an operation to what the ranks contribute.
[[nodiscard]] bool is_reduction(Collective collective);

/// How many blocks the collective's definition gives: P, or P*P for alltoall, of which block source*P + destination is
/// what one rank sends to another. 0 where the algorithm chooses.
[[nodiscard]] Index defined_blocks(Collective collective, Index ranks);

/// Every algorithm, grouped by collective.
[[nodiscard]] std::span<const Algorithm> algorithms();

/// Adds an algorithm behind those of its collective: then it is listed, checked, predicted and executed like the
/// others. Its strings must stay valid. References and spans handed out before stay valid too, but do not show it. Not
/// to be called while another thread uses the list. Throws UsageError where the name, or another one that it is called
/// by, is taken, or where the name or the function is missing.
void register_algorithm(const Algorithm& algorithm);

/// Those of one collective, in the list's order.
[[nodiscard]] std::span<const Algorithm> algorithms_of(Collective collective);

/// By its name or another one that it is called by. Throws UsageError listing the names that the collective has.
[[nodiscard]] const Algorithm& find_algorithm(Collective collective, std::string_view name);

/// Checks the request (ranks >= 1, root in range, bytes >= 0 and whole elements, parameters known and in range) and
/// what the algorithm can do (number of ranks, operations that do not commute), builds, and segments. Throws
/// UsageError: an algorithm never becomes another one.
[[nodiscard]] Schedule build_schedule(const Algorithm& algorithm, const ScheduleRequest& request);

}  // namespace postage
