#include "measure/campaign/preparation.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/held_out_draw.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postage {

MeasureSettings for_simulation(MeasureSettings settings) {
  settings.passes = 1;
  settings.warm_up = 0;
  settings.least_repetitions = std::min(settings.least_repetitions, 2);
  return settings;
}

std::string timing_of_groups(const Transport& transport, TimingMethod timing) {
  if (timing != TimingMethod::kClocks) {
    return std::string(name_of(timing));
  }
  return transport.has_global_clock() ? "global-clock" : "synchronised-clocks";
}

std::vector<double> experiments_of_sets(const std::vector<CampaignStage>& stages) {
  std::vector<double> counts;
  for (const CampaignStage& stage : stages) {
    counts.insert(counts.end(), stage.sets.size(), static_cast<double>(stage.experiments()));
  }
  return counts;
}

CampaignPlan with_held_out(CampaignPlan plan, const Transport& transport, const RankPlacements& placements,
                           const MeasureSettings& settings) {
  if (plan.held_out > 0) {
    const std::optional<Representatives> everyone;
    const std::vector<double> others = experiments_of_sets(
        stages_of(plan, {placements, everyone}, settings, timing_of_groups(transport, settings.timing)));
    const double all = std::accumulate(others.begin(), others.end(), 0.0);
    const auto most = static_cast<std::size_t>(kHeldOutShare / (1 - kHeldOutShare) * all);
    plan.drawn =
        draw_held_out(placements.count(), {.count = others.empty() ? plan.held_out : std::min(plan.held_out, most),
                                           .seed = plan.held_out_seed,
                                           .limits = plan.held_out_limits,
                                           .is_virtual = transport.is_virtual()});
  }
  return plan;
}

std::optional<Representatives> given_representatives(const CampaignPlan& plan, const RankPlacements& placements) {
  if (plan.pairs.empty()) {
    return std::nullopt;
  }
  Representatives given{.pairs = plan.pairs};
  for (const auto& [first, second] : plan.pairs) {
    if (second >= placements.count()) {
      throw UsageError(fmt::format("--pairs {}-{}: ranks are 0 to {}", first, second, placements.count() - 1));
    }
    given.ranks.insert(given.ranks.end(), {first, second});
  }
  std::sort(given.ranks.begin(), given.ranks.end());
  given.ranks.erase(std::unique(given.ranks.begin(), given.ranks.end()), given.ranks.end());
  return given;
}

}  // namespace postage
