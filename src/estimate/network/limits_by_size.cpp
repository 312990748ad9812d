#include "estimate/network/limits_by_size.hpp"

#include "estimate/network/own_links.hpp"

#include <postage/model/model.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace postage {
namespace {

/// Messages of a fan that are smaller say nothing of bandwidths.
constexpr Bytes kLeastOfFans = 512;
/// Occupancies that differ from 1 by less are 1.
constexpr double kSameOccupancy = 1e-3;

/// Of the largest messages of the group's scope.
const ParameterGroup& largest_of(const ParameterTable& table, const ParameterGroup& group) {
  const ParameterGroup* largest = &group;
  for (const ParameterGroup& other : table.groups) {
    largest = other.scope == group.scope && other.from_bytes > largest->from_bytes ? &other : largest;
  }
  return *largest;
}

double value_of(const ParameterGroup& group, const char* symbol) {
  const auto found = group.values.find(symbol);
  return found == group.values.end() ? 0 : found->second.value;
}

/// A byte of any size occupies links as long as one of the largest messages; or `in_proportion` to what it takes alone.
ParameterTable as_the_largest(const ParameterTable& table, bool in_proportion) {
  ParameterTable changed = table;
  for (ParameterGroup& group : changed.groups) {
    if (!is_between_nodes(group)) {
      continue;
    }
    const ParameterGroup& largest = largest_of(table, group);
    const double alone = value_of(group, "G");
    const double of_largest = value_of(largest, "G");
    const double occupancy = in_proportion && alone > 0 && of_largest > 0 ? alone / of_largest : 1;
    for (const char* symbol : {"B_send", "B_receive", "B_node"}) {
      const double rate = value_of(largest, symbol);
      group.values.erase(symbol);
      if (rate > 0) {
        group.values[symbol] = Estimate::exactly(rate / occupancy);
      }
    }
    if (std::abs(occupancy - 1) > kSameOccupancy) {
      group.values["k"] = Estimate::exactly(occupancy);
    }
  }
  return changed;
}

/// With the limits of the largest messages where those of a size are not known: its fans were of messages that keep
/// processors longer than links.
ParameterTable with_all_limits(ParameterTable table) {
  const ParameterTable known = table;
  for (ParameterGroup& group : table.groups) {
    if (!is_between_nodes(group)) {
      continue;
    }
    const ParameterGroup& largest = largest_of(known, group);
    for (const char* symbol : {"B_send", "B_receive", "B_node"}) {
      if (const double rate = value_of(largest, symbol); rate > 0) {
        group.values.try_emplace(symbol, Estimate::exactly(rate));
      }
    }
  }
  return table;
}

/// Ranges of sizes with limits of their own.
std::size_t ranges_of(const ParameterTable& table) {
  std::set<Bytes> begins;
  for (const ParameterGroup& group : table.groups) {
    if (is_between_nodes(group)) {
      begins.insert(group.from_bytes);
    }
  }
  return begins.size();
}

}  // namespace

void fit_limits_by_size(const CampaignData& campaign, const Platform& platform, const FittedNetwork& found,
                        ParameterTable& table) {
  const CompetingMessages competing = with_corrected_limits(found.competing);
  const auto cost_of = [&](const ParameterTable& tried, std::size_t parameters) {
    const Model model = build_model(tried, platform.channels);
    const NetworkJudge judge(campaign, platform, *model.target<Flow>(), kLeastOfFans);
    return judge.cost_of(judge.misses(found.network, competing), static_cast<double>(parameters));
  };
  const ParameterTable as_measured = table;
  double least = cost_of(as_measured, 2 * ranges_of(table));
  if (ParameterTable whole = with_all_limits(as_measured); whole != as_measured) {
    if (const double cost = cost_of(whole, 2 * ranges_of(table)); cost < least + kTie) {
      least = cost;
      table = std::move(whole);
    }
  }
  // Penalties slow fans down whatever links carry of their sizes: what messages take alone says it, if fans do not deny
  // it.
  const double of_proportion = competing.penalties.any() ? kStrongEvidence : 0;
  for (const bool in_proportion : {false, true}) {
    ParameterTable tried = as_the_largest(as_measured, in_proportion);
    if (const double cost = cost_of(tried, 2); cost < least + (in_proportion ? of_proportion : 0)) {
      least = cost;
      table = std::move(tried);
    }
  }
}

}  // namespace postage
