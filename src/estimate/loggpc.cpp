#include "estimate/contention.hpp"
#include "estimate/loggp.hpp"

namespace postage {
namespace {

using MakeGroups = std::vector<ParameterGroup> (*)(const CampaignData&, const ScopeData&);

/// The scopes' groups, each with its channel's C(m, n).
ParameterTable with_contention(const CampaignData& campaign, const char* model, MakeGroups make_groups) {
  ParameterTable table{.model = model, .groups = {}, .fit = {}};
  std::map<std::string, std::optional<ParameterSurface>> contention;
  for (const std::string& channel : campaign.channels) {
    contention[channel] = contention_of(campaign, channel);
  }
  for (const ScopeData& scope : campaign.scopes) {
    const std::optional<ParameterSurface>& surface = contention.at(scope.channel());
    if (!surface) {
      continue;
    }
    for (ParameterGroup& group : make_groups(campaign, scope)) {
      group.surfaces["C"] = *surface;
      table.groups.push_back(std::move(group));
    }
  }
  return table;
}

}  // namespace

ParameterTable estimate_loggpc(const CampaignData& campaign) {
  return with_contention(campaign, "loggpc", [](const CampaignData& data, const ScopeData& scope) {
    std::vector<ParameterGroup> groups;
    for (const LogGPPiece& piece : loggp_pieces(data, scope)) {
      groups.push_back(loggp_group(scope, piece));
    }
    return groups;
  });
}

ParameterTable estimate_lopc(const CampaignData& campaign) {
  return with_contention(campaign, "lopc", [](const CampaignData& data, const ScopeData& scope) {
    const std::vector<LogGPPiece> pieces = loggp_pieces(data, scope);
    return pieces.empty() ? std::vector<ParameterGroup>{}
                          : std::vector<ParameterGroup>{logp_group(scope, pieces.front())};
  });
}

}  // namespace postage
