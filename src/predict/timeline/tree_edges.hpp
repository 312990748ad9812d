#pragma once

#include "predict/timeline/tree_shape.hpp"

namespace postage {

/// The patterns of a schedule of one stage as edges of a tree.
struct TreePatterns {
  std::vector<TreeEdges> edges;
  Index offset = 0;  ///< rank = virtual rank + offset
  bool goes_down = true;
  Index root = 0;  ///< virtual rank
};

/// Nothing where a pattern is not of that form, or some rank would have two parents.
[[nodiscard]] std::optional<TreePatterns> tree_patterns(const Schedule& schedule);

/// Virtual ranks after which an edge's blocks are met as before; 1 where all messages carry the same.
[[nodiscard]] Index block_period(const Pattern& pattern);

}  // namespace postage
