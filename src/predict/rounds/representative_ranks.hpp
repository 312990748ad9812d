#pragma once

#include "predict/node_ranks.hpp"

namespace postage {

/// Ranks among which there is one of every kind that takes part in a round: all of those on the nodes at both ends of
/// each of its patterns, on enough nodes in its middle to meet each way in which the pattern can lie across a node, and
/// where its numbering breaks. All that take part where a mapping or a pattern is a table. Each once; those of a node
/// follow one another, but for some that are visited alone. Of those between the ends there are `of_each`, as far as
/// there are so many.
[[nodiscard]] std::vector<Rank> ranks_to_visit(const Round& round, Index iteration, const NodeRanks& nodes,
                                               Index of_each = 1);

/// Each rank once, ordered by its node.
[[nodiscard]] std::vector<Rank> node_by_node(std::vector<Rank> ranks, const NodeRanks& nodes);

}  // namespace postage
