#include "estimate/data/pair_classes.hpp"

#include <set>
#include <utility>

namespace postage {

std::vector<PairClass> classes_in(const CampaignData& campaign, const ParameterTable& table) {
  std::set<std::pair<int, int>> known;
  for (const ParameterGroup& group : table.groups) {
    known.insert({group.scope.first, group.scope.second});
  }
  std::vector<PairClass> classes;
  for (const ScopeData& scope : campaign.scopes) {
    PairClass alike{{scope.scope.first, scope.scope.second}, {}};
    for (const PairData* pair : scope.pairs) {
      // Those that the model tells apart though messages between them take the same have groups of their own.
      if (scope.scope.is_pair() && known.contains(alike.first) && !known.contains({pair->first, pair->second})) {
        alike.others.emplace_back(pair->first, pair->second);
      }
    }
    if (!alike.others.empty()) {
      classes.push_back(std::move(alike));
    }
  }
  return classes;
}

}  // namespace postage
