#pragma once

#include "measure/blocks.hpp"
#include "measure/series.hpp"

#include <functional>
#include <map>

namespace postage {

/// What the leader of a group keeps of a round: its series by shape, and the sizes that its curves have grown to.
struct Notebook {
  RankGroup group;
  std::map<Experiment, Series> series;
  std::vector<std::vector<Bytes>> curve_sizes;
};

/// What one visit of a group may use.
struct VisitLimits {
  const MeasureSettings& settings;
  Seconds share = 0;                ///< time to spend beyond the fewest repetitions
  std::function<bool()> stopped{};  ///< asked between experiments; empty for never
};

/// Makes the block's experiments with the group once, as its leader: its first rank. Shapes are those of the block.
void lead_visit(TaskContext& context, const Block& block, Notebook& notebook, const VisitLimits& limits);

/// Takes part in the leader's visit, as another rank of the group.
void follow_visit(TaskContext& context, const Block& block, const RankGroup& group);

}  // namespace postage
