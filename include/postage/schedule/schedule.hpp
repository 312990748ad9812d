#pragma once

#include <postage/base/protocol.hpp>
#include <postage/schedule/patterns/blocks.hpp>
#include <postage/schedule/patterns/numbering.hpp>
#include <postage/schedule/patterns/pairs.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A rank of the communicator on which a collective runs.
using Rank = std::int32_t;

enum class Collective {
  kBarrier,
  kBcast,
  kReduce,
  kAllreduce,
  kGather,
  kScatter,
  kAllgather,
  kAlltoall,
  kReduceScatter,
  kScan,
  kExscan,
};

/// "bcast", "reduce_scatter", ... and back; parse_collective throws UsageError listing the valid names.
[[nodiscard]] std::string_view name_of(Collective collective);
[[nodiscard]] Collective parse_collective(std::string_view name);

/// What a receiver does with arriving blocks. In an ordered reduction "left" is the lower rank's side:
/// kReduceLeft: own = arriving op own; kReduceRight: own = own op arriving.
///
/// scan and exscan keep two values of each block: the *carry*, at first the own contribution, which every send reads,
/// and the *result*, at first the own contribution (scan) or nothing (exscan). kReduceLeft: carry = arriving op carry
/// and result = arriving op result (the arriving value itself where there is no result yet); kReduceRight:
/// carry = carry op arriving, the result stays. Rank 0 of an exscan ends without a result.
enum class Combine { kCopy, kReduceLeft, kReduceRight };

/// Iterations [begin, end) of a stage.
struct IterationWindow {
  Index begin = 0;
  Index end = std::numeric_limits<Index>::max();
  bool operator==(const IterationWindow&) const = default;
};

/// Transfers of one form that start together.
struct Pattern {
  Pairs pairs;
  Numbering numbering;
  BlockSelector blocks;
  Combine combine = Combine::kCopy;
  Protocol protocol = Protocol::kDefault;
  /// The pattern takes part in these iterations of its stage only.
  IterationWindow active{};
  /// The target combines these blocks with those that it sends back to the source in the same round: both read memory
  /// that the other wants to change.
  bool updates_what_it_sends = false;
};

/// Number of transfers of a pattern in one iteration of its stage: none where it is not active.
[[nodiscard]] Index pair_count(const Pattern& pattern, Index iteration);

/// Patterns whose transfers do not depend on one another: every send of a round reads what its rank held when the rank
/// entered the round. A rank leaves a round when its sends may be forgotten and its receives have arrived; ranks do
/// not wait for each other's rounds.
struct Round {
  std::vector<Pattern> patterns{};
};

/// In which order a rank works through the segments of a stage: one segment through all rounds before the next
/// (a pipeline), or all segments of a round before the next round.
enum class SegmentOrder { kPipeline, kWithinRound };

/// Rounds, repeated `iterations` times (the patterns know the iteration), the whole once for each of `segments`
/// segments of every block: pipelining is segment after segment in each rank's own order.
struct Stage {
  std::string name;
  Index iterations = 1;
  Index segments = 1;
  /// Bytes of a segment, whole elements: the last one of a block is shorter, a short block has fewer. 0 cuts every
  /// block into `segments` of equal size.
  Bytes segment_bytes = 0;
  std::vector<Round> rounds{};
  SegmentOrder segment_order = SegmentOrder::kPipeline;
  /// False where `segmented` leaves the stage whole.
  bool may_be_segmented = true;
};

/// When a rank posts its receives, and when it waits for its sends.
enum class Calls {
  kOverlapping,    ///< a round ahead; when their memory is needed
  kBlockingSends,  ///< a round ahead; in their round, as in Open MPI's trees
  kBlocking,       ///< both in their round, by MPI_Send, MPI_Recv and MPI_Sendrecv, as in many stock algorithms
  kReceivesFirst   ///< all before the first send; when their memory is needed. Programs do it as kOverlapping
};

/// Of "overlapping", "blocking-sends", "blocking" or "receives-first". Throws UsageError listing the valid names.
[[nodiscard]] Calls parse_calls(std::string_view name);

/// A collective written once: predicted, executed, simulated and verified from the same value. Symbolic: its size
/// does not grow with the number of ranks where its pattern is regular.
struct Schedule {
  Collective collective = Collective::kBarrier;
  std::string algorithm;
  Rank ranks = 1;
  Rank root = 0;
  BlockLayout layout{};
  std::vector<Stage> stages{};
  Calls calls = Calls::kOverlapping;
  bool is_cut = false;  ///< only the beginning of one (first_steps, first_stages): results may be missing at its end
};

/// Where in the schedule's order something happens.
struct RoundPosition {
  std::size_t stage = 0;
  Index iteration = 0;
  Index segment = 0;
  std::size_t round = 0;
  bool operator==(const RoundPosition&) const = default;
};

/// One message.
struct Transfer {
  Rank source = 0;
  Rank target = 0;
  /// Bytes of this segment of the blocks carried.
  Bytes bytes = 0;
  const Pattern* pattern = nullptr;
  TransferPosition virtual_position;
};

/// Transfer `i` of a pattern of the round at `position`. O(runs of blocks), or O(blocks) for a segment of uneven
/// blocks.
[[nodiscard]] Transfer transfer_at(const Schedule& schedule, const RoundPosition& position, const Pattern& pattern,
                                   Index i);

/// Its bytes alone, for the virtual ranks and the iteration given.
[[nodiscard]] Bytes bytes_at(const Schedule& schedule, const RoundPosition& position, const Pattern& pattern,
                             const TransferPosition& at);

/// The bytes of every transfer of a pattern of the round at `position`, where all have the same; nothing where they may
/// differ. O(1).
[[nodiscard]] std::optional<Bytes> common_bytes(const Schedule& schedule, const RoundPosition& position,
                                                const Pattern& pattern);

/// Visits all transfers in an order that respects every rank's own order and every dependency: stage, segment,
/// iteration, round, pattern, pair (segment after round where the stage's segments stay within rounds). O(messages),
/// allocation-free.
void for_each_transfer(const Schedule& schedule,
                       const std::function<void(const RoundPosition&, const Transfer&)>& visit);

/// Visits the transfers of one round.
void for_each_transfer(const Schedule& schedule, const RoundPosition& position,
                       const std::function<void(const Transfer&)>& visit);

/// Visits every RoundPosition in the order above.
void for_each_round(const Schedule& schedule, const std::function<void(const RoundPosition&)>& visit);

/// Sends and receives of one rank in one round. Self-transfers appear in both lists.
struct RankRound {
  RoundPosition position;
  std::vector<Transfer> sends;
  std::vector<Transfer> receives;
};

/// The rounds in which `rank` takes part, in order, without visiting other ranks' transfers:
/// O(own operations + rounds * stages), where a walk over P iterations counts as one round.
void for_each_rank_round(const Schedule& schedule, Rank rank, const std::function<void(const RankRound&)>& visit);

/// Messages and bytes of a whole schedule. O(size of its symbolic form) where layouts and patterns are regular.
struct Traffic {
  Index messages = 0;
  Bytes bytes = 0;
  Index rounds = 0;
  bool operator==(const Traffic&) const = default;
};
[[nodiscard]] Traffic traffic_of(const Schedule& schedule);

/// The same schedule with every block of every stage that may be segmented cut into segments of `segment_bytes`, as
/// stock libraries do (whole elements, the last one shorter; 0 cuts nothing). Segments never depend on one another, so
/// that any stage can be cut in either order.
[[nodiscard]] Schedule segmented(Schedule schedule, Bytes segment_bytes, SegmentOrder order = SegmentOrder::kPipeline);

/// The same schedule with every transfer annotated with `protocol`.
[[nodiscard]] Schedule with_protocol(Schedule schedule, Protocol protocol);

/// The bytes of segment `segment` of a block of `bytes` bytes in that stage.
[[nodiscard]] Bytes segment_bytes(const Stage& stage, Bytes bytes, Index segment, Bytes element_bytes);

}  // namespace postage
