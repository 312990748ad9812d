#include "estimate/data/pair_classes.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace postage {
namespace {

std::size_t class_of(const PairStructure& structure, const PairData& pair) {
  return structure.class_of(pair.channel, pair.first, pair.second);
}

/// Real hosts' classes of pairs that differ by less are of one.
constexpr double kLeastDifferenceBetweenHosts = 0.25;

/// For each class of the structure the one that stands for it: see stand_ins.
std::vector<std::size_t> classes_with_pairs(const std::vector<const PairData*>& pairs, const PairStructure& structure) {
  std::vector<bool> is_measured(structure.classes.size());
  for (const PairData* pair : pairs) {
    is_measured[class_of(structure, *pair)] = true;
  }
  return stand_ins(structure, is_measured);
}

std::vector<const PairData*> pointers_to(const std::vector<PairData>& pairs) {
  std::vector<const PairData*> all;
  all.reserve(pairs.size());
  for (const PairData& pair : pairs) {
    all.push_back(&pair);
  }
  return all;
}

/// The classes of pairs that the table has parameters of, those that were measured one by one.
std::vector<PairClass> measured_classes(const CampaignData& campaign, const std::set<RankPair>& known) {
  std::vector<PairClass> classes;
  for (const ScopeData& scope : campaign.scopes) {
    if (!scope.scope.is_pair() || !known.contains({scope.scope.first, scope.scope.second})) {
      continue;
    }
    PairClass& alike = classes.emplace_back(PairClass{{scope.scope.first, scope.scope.second}, {}, scope.channel()});
    for (const PairData* pair : scope.pairs) {
      // Those that the model tells apart though messages between them take the same have groups of their own.
      if (!known.contains({pair->first, pair->second})) {
        alike.others.emplace_back(pair->first, pair->second);
      }
    }
  }
  return classes;
}

/// For each class of the structure the index of the measured class that most of its measured pairs are of.
std::map<std::size_t, std::size_t> by_most_pairs(const CampaignData& campaign, const std::vector<PairClass>& classes) {
  std::map<std::size_t, std::map<std::size_t, int>> votes;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (const ScopeData& scope : campaign.scopes) {
      if (!scope.scope.is_pair() || RankPair(scope.scope.first, scope.scope.second) != classes[i].first) {
        continue;
      }
      for (const PairData* pair : scope.pairs) {
        ++votes[class_of(*campaign.structure, *pair)][i];
      }
    }
  }
  std::map<std::size_t, std::size_t> chosen;
  for (const auto& [one, counts] : votes) {
    chosen[one] = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
                    return a.second < b.second;
                  })->first;
  }
  return chosen;
}

/// Pairs that were not measured, by groups; those of the largest class of a channel as its rest.
void add_groups(const CampaignData& campaign, std::vector<PairClass>& classes) {
  const PairStructure& structure = *campaign.structure;
  const std::vector<std::size_t> stand_in = classes_with_pairs(pointers_to(campaign.pairs), structure);
  const std::map<std::size_t, std::size_t> chosen = by_most_pairs(campaign, classes);
  std::map<std::size_t, std::size_t> sizes;
  for (std::size_t i = 0; i < structure.classes.size(); ++i) {
    const auto found = chosen.find(stand_in[i]);
    if (found == chosen.end()) {
      continue;
    }
    std::vector<std::pair<int, int>>& groups = classes[found->second].of_groups;
    groups.insert(groups.end(), structure.classes[i].of_groups.begin(), structure.classes[i].of_groups.end());
    sizes[found->second] += structure.classes[i].pairs;
  }
  std::map<std::string, std::size_t> largest;
  for (const auto& [index, size] : sizes) {
    const auto [known, is_new] = largest.try_emplace(classes[index].channel, index);
    if (size > sizes.at(known->second)) {
      known->second = index;
    }
  }
  for (const auto& [channel, index] : largest) {
    classes[index].is_rest = true;
    classes[index].of_groups.clear();
  }
}

/// True where probes of two classes take about as long at each size.
bool are_near(const AlikePairs& a, const AlikePairs& b) {
  for (std::size_t i = 0; i < std::min(a.times.size(), b.times.size()); ++i) {
    if (std::abs(a.times[i] - b.times[i]) > kLeastDifferenceBetweenHosts * std::max(a.times[i], b.times[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::vector<const PairData*>> classes_by_probes(const std::vector<const PairData*>& pairs,
                                                            const PairStructure& structure) {
  std::vector<std::vector<const PairData*>> classes;
  if (structure.empty()) {
    return classes;
  }
  std::vector<const AlikePairs*> firsts;
  for (const PairData* pair : pairs) {
    const AlikePairs& own = structure.classes[class_of(structure, *pair)];
    const auto same =
        std::find_if(firsts.begin(), firsts.end(), [&](const AlikePairs* first) { return are_near(*first, own); });
    const auto index = static_cast<std::size_t>(same - firsts.begin());
    if (same == firsts.end()) {
      firsts.push_back(&own);
      classes.emplace_back();
    }
    classes[index].push_back(pair);
  }
  return classes.size() > 1 ? classes : std::vector<std::vector<const PairData*>>{};
}

std::map<const PairData*, double> weights_of(const std::vector<const PairData*>& pairs,
                                             const PairStructure& structure) {
  const std::vector<std::size_t> stand_in = classes_with_pairs(pairs, structure);
  std::vector<double> all(structure.classes.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[stand_in[i]] += static_cast<double>(structure.classes[i].pairs);
  }
  std::map<std::size_t, double> measured;
  for (const PairData* pair : pairs) {
    ++measured[class_of(structure, *pair)];
  }
  std::map<const PairData*, double> weights;
  for (const PairData* pair : pairs) {
    const std::size_t own = class_of(structure, *pair);
    weights[pair] = all[own] / measured.at(own);
  }
  return weights;
}

void add_classes(const CampaignData& campaign, ParameterTable& table) {
  std::set<RankPair> known;
  std::set<int> processors;
  for (const ParameterGroup& group : table.groups) {
    if (group.scope.is_pair()) {
      known.insert({group.scope.first, group.scope.second});
    }
    if (group.scope.is_processor()) {
      processors.insert(group.scope.processor);
    }
  }
  table.classes = measured_classes(campaign, known);
  const PairStructure& structure = *campaign.structure;
  if (!structure.empty()) {
    add_groups(campaign, table.classes);
    table.group_of_rank = table.classes.empty() ? std::vector<int>{} : structure.group_of;
    table.kind_of_rank = processors.empty() ? std::vector<int>{} : kinds_of_ranks(structure, processors);
  }
  for (PairClass& alike : table.classes) {
    alike.channel = alike.is_rest || !alike.of_groups.empty() ? alike.channel : "";
  }
  std::erase_if(table.classes, [](const PairClass& alike) { return alike.others.empty() && alike.channel.empty(); });
}

}  // namespace postage
