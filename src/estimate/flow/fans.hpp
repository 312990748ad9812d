#pragma once

#include "estimate/flow/scope_fit.hpp"

namespace postage {

/// What each of many messages keeps its ends for, from fans of three ranks and more of a real node: all send to one
/// that waits for all, and one sends to all without waiting. Trains of one rank's messages say less: what comes from
/// several is in the caches of as many cores, and a library fetches what is awaited already while others wait.
///
/// Adds to `fit.protocols` what these show: o_r and o_s of eager messages where they are longer, though never longer
/// than a message alone, and o_s of messages larger than S that are no gets. Nothing where there are no such fans.
void take_fans(const CampaignData& campaign, ScopeFit& fit);

/// r(m): what a further message larger than S takes that its receiver waits for while it takes in others. `from`: the
/// smallest that is fetched. Nothing where there are no such fans.
[[nodiscard]] TimesBySize further_times(const CampaignData& campaign, const ScopeFit& fit, Bytes from);

}  // namespace postage
