#include "estimate/network/structure_cost.hpp"

#include <algorithm>
#include <utility>

namespace postage {

bool is_tree(const NetworkStructure& network) {
  return !network.torus && std::none_of(network.levels.begin(), network.levels.end(),
                                        [](const GroupLevel& level) { return level.junction == GroupJunction::kMesh; });
}

void take_if_better(std::optional<FittedNetwork>& best, FittedNetwork fitted, const StructureCost& cost) {
  const bool is_exact = cost.is_shown_by_latencies(fitted.network);
  const bool is_shown =
      fitted.network.rails == 1 && (is_tree(fitted.network) || bandwidths_in(fitted.network) > 0 || is_exact);
  const auto gives_way = [&] {
    return !best->network.has_shared_links() ||
           (is_exact && is_tree(best->network) && bandwidths_in(best->network) == 0);
  };
  if (!best || cost.with(fitted) < cost.with(*best) - kTie ||
      (cost.with(fitted) < cost.with(*best) + kTie && is_shown && gives_way())) {
    best = std::move(fitted);
  }
}

}  // namespace postage
