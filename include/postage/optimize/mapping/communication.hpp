#pragma once

#include <postage/predict/placement_cost.hpp>
#include <postage/predict/traces/trace.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// What the ranks of a program send to one another.
struct Communication {
  std::string name;
  Rank ranks = 0;
  std::vector<MessagePhase> phases{};
  /// The sides of the grid that the ranks stand in, the first varying slowest; empty where they stand in none.
  std::vector<Rank> grid{};
  /// Every rank sends as much to every other in one phase: no permutation of ranks changes anything.
  bool is_uniform = false;
};

/// More messages, in phases that differ, are refused: 2^24.
inline constexpr std::int64_t kMostPhaseMessages = std::int64_t{1} << 24;

/// Each rank sends `bytes` to the next one, the last to the first, P - 1 times: a ring allgather with blocks of
/// `bytes`.
[[nodiscard]] Communication ring_communication(Rank ranks, Bytes bytes);

/// Each rank of a grid sends `bytes` to its neighbours along each dimension, the first of which varies slowest; the
/// grid has borders. Throws UsageError where a length is below 1.
[[nodiscard]] Communication halo_communication(const std::vector<Rank>& lengths, Bytes bytes);

/// The lengths of the grid of `ranks` ranks whose sides differ least: 12 is 3 x 4 in 2, 2 x 2 x 3 in 3 dimensions.
[[nodiscard]] std::vector<Rank> grid_lengths(Rank ranks, int dimensions);

/// Each rank sends `bytes` to every other: without phases, since none is better than another.
[[nodiscard]] Communication alltoall_communication(Rank ranks, Bytes bytes);

/// The rounds of a schedule; those after one another that are alike become one phase. Segments of a pipeline count as
/// rounds one after the other. O(messages). Throws UsageError for more than kMostPhaseMessages.
[[nodiscard]] Communication communication_of(const Schedule& schedule);

/// All messages of a trace as one phase, those between the same two ranks as one with their bytes.
[[nodiscard]] Communication communication_of(const Trace& trace);

/// What each two ranks send each other, in both directions, lower rank first and sorted: the weights of Scotch's graph.
struct CommunicationEdge {
  Rank low = 0;
  Rank high = 0;
  double weight = 0;
};

/// Weights are the seconds that their messages take between the two ends of the machine, each alone.
[[nodiscard]] std::vector<CommunicationEdge> edges_of(const Communication& communication, const ChannelMap& slots,
                                                      const Model& model);

}  // namespace postage
