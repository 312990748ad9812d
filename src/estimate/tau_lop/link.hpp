#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <map>
#include <optional>
#include <string>

namespace postage {

/// Transfers of a message through memory: into a shared buffer and out of it; and over a network, between two
/// interfaces.
inline constexpr double kThroughMemory = 2;
inline constexpr double kOverNetwork = 1;

/// A channel, or a pair that differs from its channel, while its parameters are worked out.
struct TauLopData {
  const ScopeData* scope = nullptr;
  std::string channel;
  ParameterCurve times;                        ///< of one message alone
  ParameterCurve overhead;                     ///< o(m)
  std::map<double, TimesBySize> shared_times;  ///< of one of tau messages at once, by tau
  ParameterSurface transfer;                   ///< L(m, tau)
};

/// Overhead and times of the scope alone; without sharing and transfers.
[[nodiscard]] TauLopData link_of(const ScopeData& scope);

/// Times of one message while tau go over the channel: half a roundtrip of tau pairs, or a ring's exchange.
[[nodiscard]] std::map<double, TimesBySize> times_of_sharing(const CampaignData& campaign, const std::string& channel);

/// Sharing was measured for the channel as a whole: a pair that differs from it keeps its distance whatever tau is.
void share_like_channel(TauLopData& pair, const TauLopData& channel);

/// S, where the times show it: from some size on they grow more slowly, and just as they do where two transfers of that
/// size overlap all the time. L(S, 2)/L(S, 1) is taken from the largest size measured up to S.
[[nodiscard]] std::optional<Bytes> segment_of(const TauLopData& link);

/// Up to S the rows stay; L(S, 2) is how much longer each further segment makes a message.
void cut_at_segment(TauLopData& link, Bytes segment);

}  // namespace postage
