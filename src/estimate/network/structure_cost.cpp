#include "estimate/network/structure_cost.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace postage {

bool is_tree(const NetworkStructure& network) {
  return !network.torus && std::none_of(network.levels.begin(), network.levels.end(),
                                        [](const GroupLevel& level) { return level.junction == GroupJunction::kMesh; });
}

namespace {

/// Where messages compete as equals, a network that is this far behind another one, for each experiment, is not ahead
/// of it where they do not: it misses times by squares e times as large. In 105 searches for networks of simulated
/// clusters the one that was found was never behind by more than 0.06.
constexpr double kFarBehind = 1;

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
  std::vector<FittedNetwork> evenly;
  double least = std::numeric_limits<double>::infinity();
  for (const NetworkStructure& network : all) {
    evenly.push_back(fit_evenly(network, judge));
    least = std::min(least, cost.with(evenly.back()));
  }
  const double most = least + kFarBehind * static_cast<double>(judge.experiments());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (cost.with(evenly[i]) > most) {
      continue;
    }
    FittedNetwork fitted = fit_further(all[i], std::move(evenly[i]), judge);
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
