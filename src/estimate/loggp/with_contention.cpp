#include "estimate/loggp/with_contention.hpp"

#include "estimate/data/contention.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace postage {

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

}  // namespace postage
