#include <postage/base/error.hpp>
#include <postage/bench/pairs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace postage {
namespace {

using Cores = std::vector<Core>;

/// Groups of cores any two of which `are_together`, which is an equivalence.
template <typename Relation>
std::vector<Cores> groups_of(const Cores& cores, const Relation& are_together) {
  std::vector<Cores> groups;
  for (const Core& core : cores) {
    const auto own = std::find_if(groups.begin(), groups.end(),
                                  [&](const Cores& group) { return are_together(group.front(), core); });
    if (own == groups.end()) {
      groups.push_back({core});
    } else {
      own->push_back(core);
    }
  }
  return groups;
}

/// Pairs of cores of different groups: always of the two groups with the most cores left, which leaves the fewest over.
void pair_across(std::vector<Cores> groups, std::vector<std::pair<Core, Core>>& pairs) {
  const auto is_larger = [](const Cores& a, const Cores& b) { return a.size() > b.size(); };
  while (true) {
    std::stable_sort(groups.begin(), groups.end(), is_larger);
    if (groups.size() < 2 || groups[1].empty()) {
      return;
    }
    pairs.emplace_back(groups[0].front(), groups[1].front());
    groups[0].erase(groups[0].begin());
    groups[1].erase(groups[1].begin());
  }
}

}  // namespace

std::vector<std::pair<Core, Core>> pairs_at(const NodeTopology& node, LocalityLevel level) {
  std::vector<std::pair<Core, Core>> pairs;
  const auto within = [&](const Core& a, const Core& b) { return level_between(a, b) <= level; };
  const auto nearer = [&](const Core& a, const Core& b) { return level_between(a, b) < level; };
  for (const Cores& cores : groups_of(node.cores, within)) {
    pair_across(groups_of(cores, nearer), pairs);
  }
  return pairs;
}

LocalityLevel parse_locality_level(std::string_view name) {
  for (const LocalityLevel level : kLocalityLevels) {
    if (name == name_of(level)) {
      return level;
    }
  }
  throw UsageError(unknown_name("locality level", std::string(name),
                                fmt::format("{}, {}, {}", kSharedCache, kIntraSocket, kInterSocket)));
}

}  // namespace postage
