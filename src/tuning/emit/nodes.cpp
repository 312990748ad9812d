#include "tuning/emit/blocks.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace postage {

std::vector<NodeRules> rules_by_nodes(const DecisionTable& table) {
  constexpr std::int32_t kMostNodes = std::numeric_limits<std::int32_t>::max();
  std::set<std::int32_t> cuts{1};
  for (const DecisionRule& rule : table.rules()) {
    cuts.insert(std::max(rule.communicators.nodes.first, 1));
    if (rule.communicators.nodes.last < kMostNodes) {
      cuts.insert(rule.communicators.nodes.last + 1);
    }
  }
  std::vector<NodeRules> all;
  for (auto cut = cuts.begin(); cut != cuts.end(); ++cut) {
    const auto next = std::next(cut);
    NodeRules part{.nodes = {*cut, next == cuts.end() ? kMostNodes : *next - 1}};
    for (const DecisionRule& rule : table.rules()) {
      if (rule.communicators.nodes.contains(*cut)) {
        part.rules.push_back(rule);
      }
    }
    if (!part.rules.empty()) {
      all.push_back(std::move(part));
    }
  }
  return all;
}

std::vector<Collective> collectives_of(std::span<const DecisionRule> rules) {
  std::vector<Collective> all;
  for (const DecisionRule& rule : rules) {
    if (std::ranges::find(all, rule.collective) == all.end()) {
      all.push_back(rule.collective);
    }
  }
  return all;
}

}  // namespace postage
