#include "estimate/network/structure_cost.hpp"

#include <algorithm>
#include <utility>

namespace postage {

bool is_tree(const NetworkStructure& network) {
  return !network.torus && std::none_of(network.levels.begin(), network.levels.end(),
                                        [](const GroupLevel& level) { return level.junction == GroupJunction::kMesh; });
}

namespace {

/// Of two that cost the same.
bool gives_way(const NetworkStructure& best, const NetworkStructure& other, const StructureCost& cost) {
  if (other.rails != 1 || other.backbone) {
    return false;
  }
  if (!best.has_shared_links()) {
    return is_tree(other) || bandwidths_in(other) > 0 || cost.is_shown_by_latencies(other);
  }
  return is_tree(best) && bandwidths_in(best) == 0 && cost.is_shown_by_latencies(other);
}

}  // namespace

void take_if_better(std::optional<FittedNetwork>& best, FittedNetwork fitted, const StructureCost& cost) {
  if (!best || cost.with(fitted) < cost.with(*best) - kTie ||
      (cost.with(fitted) < cost.with(*best) + kTie && gives_way(best->network, fitted.network, cost))) {
    best = std::move(fitted);
  }
}

FittedNetwork best_network(const std::vector<NetworkStructure>& networks, const NetworkJudge& judge,
                           const NetworkJudge* of_penalties, const StructureCost& cost) {
  std::vector<NetworkStructure> all{NetworkStructure{}};
  all.insert(all.end(), networks.begin(), networks.end());
  std::optional<FittedNetwork> sharing;
  std::optional<FittedNetwork> penalised;
  for (const NetworkStructure& network : all) {
    FittedNetwork fitted = fit_bandwidths(network, judge);
    if (of_penalties != nullptr) {
      if (std::optional<FittedNetwork> other = fit_penalties(fitted, judge, *of_penalties); other) {
        take_if_better(penalised, std::move(*other), cost);
      }
    }
    take_if_better(sharing, std::move(fitted), cost);
  }
  FittedNetwork best = fit_differences(std::move(*sharing), judge);
  return penalised && penalised->cost < best.cost - kStrongEvidence ? *penalised : best;
}

}  // namespace postage
