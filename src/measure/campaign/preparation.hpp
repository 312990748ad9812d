#pragma once

#include "measure/campaign/stages.hpp"

#include <postage/measure/campaign.hpp>
#include <postage/transport/transport.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// A simulated clock does not drift, and repeats what it told before.
[[nodiscard]] MeasureSettings for_simulation(MeasureSettings settings);

[[nodiscard]] std::string timing_of_groups(const Transport& transport, TimingMethod timing);

/// Of each set, in the order of the stages.
[[nodiscard]] std::vector<double> experiments_of_sets(const std::vector<CampaignStage>& stages);

/// The plan with its held-out collectives: their stage gets a share of the time as the others do, by the number of its
/// experiments.
[[nodiscard]] CampaignPlan with_held_out(CampaignPlan plan, const Transport& transport,
                                         const RankPlacements& placements, const MeasureSettings& settings);

/// The pairs that the plan names; nothing where it names none. Throws UsageError for ranks that there are not.
[[nodiscard]] std::optional<Representatives> given_representatives(const CampaignPlan& plan,
                                                                   const RankPlacements& placements);

}  // namespace postage
