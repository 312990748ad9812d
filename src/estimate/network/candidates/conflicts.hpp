#pragma once

#include "estimate/network/host_distances.hpp"

#include <postage/estimate/campaign_data.hpp>

#include <vector>

namespace postage {

/// Groups of hosts that share a link to the others, by how messages of permutations slow one another down: neither
/// latencies nor single messages tell of a link that carries as much as one host's. For two groups and more the
/// partition, found by moving and exchanging hosts from groups of neighbours on, whose links of one bandwidth explain
/// the permutations best; those that explain most of what hosts' own links do not. None where these explain all, or
/// the campaign has no permutations. O(hosts^3 permutations) for each number of groups; of more than 64 hosts only
/// neighbours are tried, O(hosts permutations).
[[nodiscard]] std::vector<HostPartition> groups_by_conflicts(const CampaignData& campaign);

}  // namespace postage
