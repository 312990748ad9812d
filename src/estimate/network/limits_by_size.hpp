#pragma once

#include "estimate/network/bandwidths.hpp"

#include <postage/platform/parameters.hpp>

namespace postage {

/// Sets what hosts' links carry of messages of every size, and how long a byte of each occupies links (k), in the model
/// flow's table: what fans of these sizes said alone, as if hosts had one link each and shared no other; or what the
/// largest messages may do, for each byte alike or in proportion to what a byte takes alone. Of these the one that
/// explains fans and permutations on the network at the least cost (see FittedNetwork).
void fit_limits_by_size(const CampaignData& campaign, const Platform& platform, const FittedNetwork& found,
                        ParameterTable& table);

}  // namespace postage
