#include "estimate/network/host_classes.hpp"

#include "estimate/network/own_links.hpp"

#include <postage/estimate/arithmetic.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace postage {
namespace {

/// Rates that differ by less, as a share, are of one class of hosts.
constexpr double kAlikeRates = 0.02;
/// What small messages keep processors of one class of hosts differs by less.
constexpr double kAlikeOverheads = 0.1;

/// Of the channel, or of a processor, for the largest messages.
const ParameterGroup* last_group(const ParameterTable& table, const ParameterScope& scope) {
  const ParameterGroup* last = nullptr;
  for (const ParameterGroup& group : table.groups) {
    if (group.scope == scope && (last == nullptr || group.from_bytes > last->from_bytes)) {
      last = &group;
    }
  }
  return last;
}

std::optional<Estimate> rate_in(const ParameterGroup* group, const char* symbol) {
  if (group == nullptr) {
    return std::nullopt;
  }
  const auto found = group->values.find(symbol);
  return found == group->values.end() ? std::nullopt : std::optional(found->second);
}

/// What all messages that leave, or enter, a node share: the rate of its ranks, or of itself where it has several.
std::optional<Estimate> rate_of(const ParameterTable& table, const ParameterGroup* own, const char* symbol) {
  const ParameterGroup* channel = last_group(table, {.channel = kInterNode});
  for (const char* one : {"B_node", symbol}) {
    if (const auto rate = rate_in(own, one); rate) {
      return rate;
    }
    if (const auto rate = rate_in(channel, one); rate) {
      return rate;
    }
  }
  return std::nullopt;
}

bool are_alike(const std::optional<Estimate>& a, const std::optional<Estimate>& b, double most) {
  return a.has_value() == b.has_value() && (!a || std::abs(a->value - b->value) <= most * std::max(a->value, b->value));
}

/// What sending and receiving a small message keeps the rank; none where ranks do not differ.
std::optional<Estimate> overhead_of(const ParameterGroup* own) {
  if (own == nullptr) {
    return std::nullopt;
  }
  const auto first = [&](const char* symbol) {
    const auto found = own->curves.find(symbol);
    return found == own->curves.end() || found->second.empty() ? Estimate::exactly(0) : found->second.front().estimate;
  };
  return plus(first("o_s"), first("o_r"));
}

}  // namespace

std::map<int, int> first_ranks(const Platform& platform) {
  std::map<int, int> ranks;
  for (std::size_t rank = 0; rank < platform.ranks.size(); ++rank) {
    ranks.try_emplace(platform.ranks[rank].node, static_cast<int>(rank));
  }
  return ranks;
}

std::vector<HostClass> host_classes(const ParameterTable& table, const Platform& platform) {
  std::vector<HostClass> classes;
  for (const auto& [host, rank] : first_ranks(platform)) {
    const ParameterGroup* own = processor_group(table, rank);
    HostClass alike{{host}, rate_of(table, own, "B_send"), rate_of(table, own, "B_receive"), overhead_of(own)};
    const auto same = std::find_if(classes.begin(), classes.end(), [&](const HostClass& known) {
      return are_alike(known.send, alike.send, kAlikeRates) && are_alike(known.receive, alike.receive, kAlikeRates) &&
             are_alike(known.overhead, alike.overhead, kAlikeOverheads);
    });
    if (same == classes.end()) {
      classes.push_back(std::move(alike));
    } else {
      same->hosts.push_back(host);
    }
  }
  return classes;
}

}  // namespace postage
