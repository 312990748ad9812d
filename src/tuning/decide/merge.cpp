#include "tuning/decide/merge.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace postage {
namespace {

/// Rules of one collective on the same nodes, by ranks.
using Place = std::tuple<Collective, Span<std::int32_t>>;
using RulesByRanks = std::map<Span<Rank>, std::vector<DecisionRule>>;

bool say_the_same(const std::vector<DecisionRule>& a, const std::vector<DecisionRule>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const DecisionRule& x, const DecisionRule& y) {
    return x.bytes == y.bytes && x.choice == y.choice;
  });
}

void join(std::vector<DecisionRule>& into, const std::vector<DecisionRule>& from) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    const Span<Rank> all{into[i].communicators.ranks.first, from[i].communicators.ranks.last};
    if (from[i].gain.interval.lower < into[i].gain.interval.lower) {
      into[i] = from[i];
    }
    into[i].communicators.ranks = all;
  }
}

}  // namespace

std::vector<DecisionRule> merge_communicators(std::vector<DecisionRule> rules) {
  std::map<Place, RulesByRanks> places;
  for (DecisionRule& rule : rules) {
    places[{rule.collective, rule.communicators.nodes}][rule.communicators.ranks].push_back(std::move(rule));
  }
  std::vector<DecisionRule> merged;
  for (auto& [place, by_ranks] : places) {
    std::vector<std::vector<DecisionRule>> groups;
    for (auto& [ranks, own] : by_ranks) {
      std::sort(own.begin(), own.end(), [](const DecisionRule& a, const DecisionRule& b) { return a.bytes < b.bytes; });
      const bool follows = !groups.empty() && groups.back().front().communicators.ranks.last + 1 == ranks.first;
      if (follows && say_the_same(groups.back(), own)) {
        join(groups.back(), own);
      } else {
        groups.push_back(std::move(own));
      }
    }
    for (const std::vector<DecisionRule>& group : groups) {
      merged.insert(merged.end(), group.begin(), group.end());
    }
  }
  return merged;
}

void add_without_overlap(std::vector<DecisionRule>& all, const std::vector<DecisionRule>& more) {
  std::map<std::pair<Collective, std::int32_t>, Rank> covered;
  for (const DecisionRule& rule : all) {
    Rank& most = covered[{rule.collective, rule.communicators.nodes.first}];
    most = std::max(most, rule.communicators.ranks.last);
  }
  for (DecisionRule rule : more) {
    const auto found = covered.find({rule.collective, rule.communicators.nodes.first});
    if (found != covered.end()) {
      rule.communicators.ranks.first = std::max(rule.communicators.ranks.first, found->second + 1);
    }
    if (rule.communicators.ranks.first <= rule.communicators.ranks.last) {
      all.push_back(rule);
    }
  }
}

}  // namespace postage
