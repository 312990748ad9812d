#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <optional>

namespace postage {

/// C(m, n) of one channel: what a message of m bytes waits for the n - 1 others that cross the channel in the same
/// direction, or at all where it lies within a host. From n roundtrips at once, each half of one less what half a
/// roundtrip takes alone; else from exchanges at once, less half a roundtrip. C(m, 1) = 0. Nothing where neither was
/// measured though ranks share hosts.
[[nodiscard]] std::optional<ParameterSurface> contention_of(const CampaignData& campaign, const std::string& channel);

}  // namespace postage
