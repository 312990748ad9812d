#pragma once

#include "model/group_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace postage {

/// What a model is built from.
struct BuildRequest {
  const ParameterTable& table;
  const ModelDescription& description;
  std::span<const std::string> channels;
  Bound bound = Bound::kValue;
};

/// The groups of each scope, by size.
using GroupsByScope = std::map<ParameterScope, std::vector<const ParameterGroup*>>;

/// Those that hold a parameter of a link or processor: the group of all channels may hold but the platform's.
/// Throws Error where a scope has two groups from one size, or none from 0 on. O(groups log groups).
[[nodiscard]] GroupsByScope groups_by_scope(const BuildRequest& request);

/// Throws Error listing the platform's channels.
[[nodiscard]] ChannelId channel_number(const BuildRequest& request, std::string_view name);

/// A parameter like gamma, which stands in one place for the whole platform; 0 where it stands nowhere.
[[nodiscard]] double read_platform_value(const BuildRequest& request, const char* symbol);

/// The same of a curve; one without points where it stands nowhere.
[[nodiscard]] CostCurve read_platform_curve(const BuildRequest& request, const char* symbol);

/// The group of all channels, or nothing.
[[nodiscard]] const ParameterGroup* find_platform_group(const ParameterTable& table);

template <typename Read>
[[nodiscard]] auto read_regimes(const BuildRequest& request, const std::vector<const ParameterGroup*>& groups,
                                const Read& read) {
  using Parameters = decltype(read(std::declval<const GroupReader&>()));
  std::vector<Regime<Parameters>> regimes;
  for (const ParameterGroup* group : groups) {
    regimes.push_back({group->from_bytes, read(GroupReader(request.table, *group, request.bound))});
  }
  return regimes;
}

/// The table of links, each read by `read` from its group's reader.
template <typename Read>
[[nodiscard]] auto build_links(const BuildRequest& request, const Read& read) {
  using Parameters = decltype(read(std::declval<const GroupReader&>()));
  LinkTable<Parameters> links;
  for (const auto& [scope, groups] : groups_by_scope(request)) {
    if (scope.is_processor()) {
      continue;
    }
    auto regimes = read_regimes(request, groups, read);
    if (scope.is_pair()) {
      links.set_pair(scope.first, scope.second, std::move(regimes));
    } else if (scope.channel == kAllChannels) {
      links.set_all_channels(std::move(regimes));
    } else {
      links.set_channel(channel_number(request, scope.channel), std::move(regimes));
    }
  }
  return links;
}

/// For a model that knows no channels: its one set of parameters. Throws Error if the table has several.
template <typename Read>
[[nodiscard]] auto build_single_link(const BuildRequest& request, const Read& read) {
  const GroupsByScope groups = groups_by_scope(request);
  if (groups.size() != 1 || groups.begin()->second.size() != 1) {
    throw Error(fmt::format("the {} model has one set of parameters for every transfer, not {}; {}",
                            request.description.name, groups.size(),
                            "its relatives mlognp and 2log23p have one for each channel"));
  }
  return read(GroupReader(request.table, *groups.begin()->second.front(), request.bound));
}

// One function for each model that needs more than a few lines.
[[nodiscard]] Model build_plogp(const BuildRequest& request);
[[nodiscard]] Model build_lmo(const BuildRequest& request);
[[nodiscard]] Model build_log_np(const BuildRequest& request);
[[nodiscard]] Model build_mlog_np(const BuildRequest& request);
[[nodiscard]] Model build_log_3p(const BuildRequest& request);
[[nodiscard]] Model build_two_log(const BuildRequest& request);
[[nodiscard]] Model build_tau_lop(const BuildRequest& request);

}  // namespace postage
