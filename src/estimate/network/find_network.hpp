#pragma once

#include <postage/estimate/campaign_data.hpp>
#include <postage/platform/platform.hpp>

namespace postage {

/// Sets what the platform's nodes share on their way to one another: of the networks that latencies between them allow,
/// or of the one that the settings name, the one that best explains messages under way at the same time, or a star,
/// where they share nothing. Needs the platform's parameters of the model flow, and corrects what they say of hosts'
/// own links, for which they took all that slowed messages of one host down. Sets nothing where fewer than two nodes
/// were measured.
void find_network(const CampaignData& campaign, Platform& platform);

}  // namespace postage
