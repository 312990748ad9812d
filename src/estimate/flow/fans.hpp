#pragma once

#include "estimate/flow/scope_fit.hpp"

#include <optional>

namespace postage {

/// What each of many messages keeps its ends for, from fans of three ranks and more of a real node: all send to one
/// that waits for all, and one sends to all without waiting. Trains of one rank's messages say less: what comes from
/// several is in the caches of as many cores, and a library fetches what is awaited already while others wait.
///
/// Adds to `fit.protocols` what these show: o_r and o_s of eager messages where they are longer, and o_s of messages
/// larger than S that are no gets. Two ranks have trains alone: o_r is at least what their messages follow one another
/// by where that is longer than o_s. With or without such fans, o_s and o_r together are no longer than a message
/// alone: measured by themselves they are of memory that lies in the other's cache.
void take_fans(const CampaignData& campaign, ScopeFit& fit);

/// r(m): what a further message larger than S takes that its receiver waits for while it takes in others. Nothing where
/// there are no such fans.
[[nodiscard]] TimesBySize further_times(const CampaignData& campaign, const ScopeFit& fit);

/// Of messages that are fetched from one rank.
struct Releases {
  Seconds gap = 0;              ///< g, between the starts of two
  double bytes_per_second = 0;  ///< of the largest together
};

/// Where the shorter ones of an outcast move much less together than the largest: what takes the time is no bandwidth.
/// Nothing else, or without such fans. `from`: the smallest that is fetched.
[[nodiscard]] std::optional<Releases> releases_of(const CampaignData& campaign, const ScopeFit& fit, Bytes from);

}  // namespace postage
