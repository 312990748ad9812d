#pragma once

#include <postage/estimate/campaign_data.hpp>

namespace postage {

/// LogGP's parameters of one scope, for messages of at least `from_bytes`.
struct LogGPPiece {
  Bytes from_bytes = 0;
  Estimate latency;           ///< L
  Estimate send_overhead;     ///< o_s
  Estimate receive_overhead;  ///< o_r
  Estimate gap;               ///< g
  Estimate gap_per_byte;      ///< G
};

/// One for each line of half a roundtrip; nothing where overheads or trains were not measured (see estimate_platform).
[[nodiscard]] std::vector<LogGPPiece> loggp_pieces(const CampaignData& campaign, const ScopeData& scope);

/// One for each piece of the scope.
[[nodiscard]] std::vector<ParameterGroup> loggp_groups(const CampaignData& campaign, const ScopeData& scope);

/// L, o_s, o_r, g and G.
[[nodiscard]] ParameterGroup loggp_group(const ScopeData& scope, const LogGPPiece& piece);
/// L, o_s, o_r and g.
[[nodiscard]] ParameterGroup logp_group(const ScopeData& scope, const LogGPPiece& piece);

}  // namespace postage
