#include "samples/structure/known_pairs.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// How many pairs of ranks there are over each channel, by the groups, the lower one first.
std::map<std::tuple<int, int, int>, std::size_t> count_pairs(const std::vector<int>& group_of,
                                                             std::span<const Node> nodes,
                                                             std::span<const RankPlacement> ranks) {
  std::map<std::tuple<int, int, int>, std::size_t> counts;
  std::map<int, std::map<int, std::size_t>> by_node;
  std::map<int, std::vector<int>> ranks_of_node;
  std::map<int, std::size_t> sizes;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    ++by_node[ranks[rank].node][group_of[rank]];
    ++sizes[group_of[rank]];
    ranks_of_node[ranks[rank].node].push_back(static_cast<int>(rank));
  }
  const int between = channel_number_between_nodes();
  for (auto a = sizes.begin(); a != sizes.end(); ++a) {
    for (auto b = a; b != sizes.end(); ++b) {
      counts[{between, a->first, b->first}] = a == b ? a->second * (a->second - 1) / 2 : a->second * b->second;
    }
  }
  for (const auto& [node, groups] : by_node) {
    for (auto a = groups.begin(); a != groups.end(); ++a) {
      for (auto b = a; b != groups.end(); ++b) {
        counts[{between, a->first, b->first}] -= a == b ? a->second * (a->second - 1) / 2 : a->second * b->second;
      }
    }
  }
  for (const auto& [node, own] : ranks_of_node) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (std::size_t j = i + 1; j < own.size(); ++j) {
        const auto [low, high] =
            std::minmax(group_of[static_cast<std::size_t>(own[i])], group_of[static_cast<std::size_t>(own[j])]);
        ++counts[{channel_number(nodes, ranks, own[i], own[j]), low, high}];
      }
    }
  }
  std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
  return counts;
}

}  // namespace

int PairStructure::groups() const {
  return group_of.empty() ? 0 : 1 + *std::max_element(group_of.begin(), group_of.end());
}

std::size_t PairStructure::class_of(const std::string& channel, int a, int b) const {
  const auto [low, high] = std::minmax(group_of[static_cast<std::size_t>(a)], group_of[static_cast<std::size_t>(b)]);
  const auto found = class_of_groups.find({channel, low, high});
  if (found == class_of_groups.end()) {
    throw Error(fmt::format("ranks {} and {} have no pair over {}", a, b, channel));
  }
  return found->second;
}

PairStructure find_pair_structure(const PairProbes& probes, std::span<const Node> nodes,
                                  std::span<const RankPlacement> ranks, double within_nodes) {
  PairStructure structure;
  if (probes.empty()) {
    return structure;
  }
  const std::vector<TimeClass> classes = time_classes(probes, nodes, ranks, within_nodes);
  const KnownPairs known = join_groups(classes, ranks.size(), structure.group_of);
  const BestRule rule(known);
  for (const TimeClass& one : classes) {
    structure.classes.push_back({.channel = channel_name(one.channel), .times = one.times, .probed = one.pairs});
  }
  const auto counts = count_pairs(structure.group_of, nodes, ranks);
  for (const auto& [key, count] : counts) {
    const auto& [channel, a, b] = key;
    const std::optional<int> seen = known.at(channel, a, b);
    if (!seen && !rule.knows(channel)) {
      continue;  // no pair over this channel was probed
    }
    const auto index = static_cast<std::size_t>(seen ? *seen : rule.class_of(channel, a, b));
    AlikePairs& alike = structure.classes[index];
    alike.of_groups.emplace_back(a, b);
    alike.pairs += count;
    structure.class_of_groups[{alike.channel, a, b}] = index;
  }
  return structure;
}

}  // namespace postage
