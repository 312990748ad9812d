#pragma once

#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/patterns/node_map.hpp>

#include <optional>
#include <string>

namespace postage {

/// The collectives that a node-aware one is made of. Each node has a leader, its lowest rank, or the root on its node.
///
/// | collective | up, within nodes | across, among leaders | down, within nodes |
/// |---|---|---|---|
/// | bcast | | bcast | bcast |
/// | reduce | reduce | reduce | |
/// | allreduce | reduce | allreduce | bcast |
/// | gather | gather | gather | |
/// | scatter | | scatter | scatter |
/// | allgather | gather | allgather | bcast |
/// | alltoall | gather | alltoall | scatter |
/// | barrier | barrier | barrier | bcast, of nothing but the message |
struct NodePhases {
  std::optional<Collective> up;
  Collective across = Collective::kBarrier;
  std::optional<Collective> down;
};

/// Throws UsageError for the collectives that are not in the table.
[[nodiscard]] NodePhases node_phases(Collective collective);

/// An algorithm by its name, and its own parameters.
struct NodePart {
  std::string algorithm;
  ParameterValues parameters{};
};

/// Which algorithm each phase uses; those of phases that the collective has not are ignored.
struct NodeParts {
  NodePart up;
  NodePart across;
  NodePart down;
};

/// (algorithm within nodes) x (algorithm among the nodes' leaders): messages between nodes pass between leaders only.
/// Any root, any map, blocks of any sizes. The parts are built as for nodes of their size and one after another; a
/// rank passes on when its own part is done. Segments: each part is cut as it would be alone. A vector (bcast, reduce,
/// allreduce) is cut into as many blocks as the least common multiple of what its parts need.
///
/// O(1) patterns for each of the parts' for block and cyclic maps; as many as there are sizes of nodes for listed ones.
/// Throws UsageError where the map is for another P, where a part cannot do its number of ranks or keep the order, and
/// for an operation that does not commute if the map is not in rank order.
[[nodiscard]] Schedule node_aware_schedule(Collective collective, const ScheduleRequest& request, const NodeMap& map,
                                           const NodeParts& parts);

}  // namespace postage
