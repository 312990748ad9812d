#pragma once

#include "measure/campaign/series_store.hpp"
#include "measure/campaign/stages.hpp"

#include <functional>

namespace postage {

/// What one sampling slot of a group may use.
struct SlotLimits {
  const MeasureSettings& settings;
  Seconds share = 0;                ///< time to spend
  Seconds in_one_pass = 0;          ///< time to spend were there no further pass
  Seconds end = 0;                  ///< moment after which only what has no sample yet is made
  std::size_t pass = 0;             ///< which of the campaign's, from 0
  std::function<bool()> stopped{};  ///< asked between experiments; empty for never
};

/// Makes the stage's experiments with the group once, as its leader: its first rank. Shapes are those of the stage.
/// Where large messages take many times what an experiment may spend in all passes, larger ones of their kind are left
/// out; except in simulations, whose time costs nothing.
void lead_slot(TaskContext& context, const CampaignStage& stage, SeriesStore& store, const SlotLimits& limits);

/// Takes part in the leader's sampling slot, as another rank of the group.
void follow_slot(TaskContext& context, const CampaignStage& stage, const RankGroup& group);

}  // namespace postage
