#pragma once

#include "estimate/network/bandwidths.hpp"

namespace postage {

/// Bytes that the network adds to each message, in steps of `kEnvelopeStep` up to `kMostEnvelope`: those that explain
/// best what small messages took that were under way at the same time; 0 where they explain little. O(experiments)
/// plays of their messages for each step.
[[nodiscard]] double fit_envelope(const CampaignData& campaign, const Platform& platform, const FittedNetwork& found,
                                  const ParameterTable& table);

}  // namespace postage
