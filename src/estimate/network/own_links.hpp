#pragma once

#include <postage/estimate/campaign_data.hpp>
#include <postage/platform/network.hpp>
#include <postage/platform/parameters.hpp>
#include <postage/platform/platform.hpp>

#include <vector>

namespace postage {

/// B/s that leave a host at most, [host]; 0 where nothing says so.
using OwnRates = std::vector<double>;

/// Sum of the squared logarithms of what the largest outcasts of hosts take by this table over what they took.
[[nodiscard]] double misses_of_outcasts(const CampaignData& campaign, const Platform& platform,
                                        const NetworkStructure& network, const ParameterTable& table);

/// Those with which outcasts of each host take on the network what they took, for the model flow with the table's
/// parameters. Hosts whose rates differ by little have one. All 0 where ranks do not differ.
[[nodiscard]] OwnRates fit_own_rates(const CampaignData& campaign, const Platform& platform,
                                     const NetworkStructure& network, const ParameterTable& table);

/// Gives the ranks of each host what its links carry, and receives in proportion to those of the first host; where that
/// is what the table says within 1 %, it stays.
void set_own_rates(ParameterTable& table, const Platform& platform, const OwnRates& rates);

/// True for parameters of messages between nodes.
[[nodiscard]] bool is_between_nodes(const ParameterGroup& group);

/// The rank's parameters, or those of a rank of its kind; nullptr where ranks do not differ.
[[nodiscard]] const ParameterGroup* processor_group(const ParameterTable& table, int rank);

}  // namespace postage
