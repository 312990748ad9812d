#pragma once

#include "estimate/network/bandwidths.hpp"
#include "estimate/network/candidates/candidates.hpp"
#include "estimate/network/host_distances.hpp"
#include "estimate/network/network_judge.hpp"

#include <cmath>
#include <optional>
#include <vector>

namespace postage {

/// What a structure must save beside its own cost (see NetworkJudge::cost_of). On real machines each level a third of
/// the squares that are left without it: what else is busy there while messages move, links that they share explain in
/// part, and experiments that it slows down together count as many. And each group what a parameter does: a host whose
/// link is as fast as a switch's cable may as well be a group of its own.
struct StructureCost {
  double of_a_level = 0;
  double of_a_group = 0;
  const HostDistances& distances;  ///< by latencies

  StructureCost(const CampaignData& campaign, const NetworkJudge& judge, const HostDistances& by_latencies)
      : distances(by_latencies) {
    if (!campaign.samples.is_virtual && judge.experiments() > 0) {
      const auto count = static_cast<double>(judge.experiments());
      of_a_level = std::log(1.5) * count;
      of_a_group = std::log(count);
    }
  }

  [[nodiscard]] double with(const FittedNetwork& fitted) const {
    return fitted.cost + of_a_level * static_cast<double>(fitted.network.levels.size()) +
           of_a_group * static_cast<double>(fitted.network.groups.size());
  }

  [[nodiscard]] bool is_shown_by_latencies(const NetworkStructure& network) const {
    return network.torus && is_torus(distances, network.torus->lengths);
  }
};

[[nodiscard]] bool is_tree(const NetworkStructure& network);

/// Takes what costs less than any other; a star only where it costs less than those that latencies show. Rails do not
/// show there, and tori and meshes only in part: of these, links must have been seen to limit messages, unless steps
/// explain all latencies, as they do on no tree.
void take_if_better(std::optional<FittedNetwork>& best, FittedNetwork fitted, const StructureCost& cost);

/// The network that explains the measurements best, of these and of one on which messages share nothing. Penalties only
/// where there is a judge of them, and on strong evidence: what a network that is not known yet does to messages, they
/// can explain a little.
[[nodiscard]] FittedNetwork best_network(const std::vector<NetworkStructure>& networks, const NetworkJudge& judge,
                                         const NetworkJudge* of_penalties, const StructureCost& cost);

}  // namespace postage
