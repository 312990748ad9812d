#pragma once

#include <postage/model/any_model.hpp>
#include <postage/model/descriptor.hpp>
#include <postage/model/group_reader.hpp>
#include <postage/model/link_table.hpp>

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace postage {

/// What a model is built from.
struct BuildRequest {
  const ParameterTable& table;
  const ModelDescriptor& descriptor;
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

/// For each rank the first one of its kind whose processor has parameters, itself where it has; -1 where none has.
[[nodiscard]] std::vector<int> processors_that_stand_for(const BuildRequest& request);

/// A parameter like gamma, which one group holds for the whole platform; 0 where none does.
[[nodiscard]] double read_platform_value(const BuildRequest& request, const char* symbol);

/// The same of a curve; one without points where no group holds it.
[[nodiscard]] CostCurve read_platform_curve(const BuildRequest& request, const char* symbol);

/// The group of all channels, or nothing.
[[nodiscard]] const ParameterGroup* find_platform_group(const ParameterTable& table);

template <typename Read>
[[nodiscard]] auto read_regimes(const BuildRequest& request, const std::vector<const ParameterGroup*>& groups,
                                const Read& read) {
  using Parameters = decltype(read(std::declval<const GroupReader&>()));
  std::vector<Regime<Parameters>> regimes;
  regimes.reserve(groups.size());
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
  links.set_groups(request.table.group_of_rank);
  for (const PairClass& alike : request.table.classes) {
    for (const auto& [first, second] : alike.others) {
      links.set_alike(first, second, alike.first);
    }
    for (const auto& [low, high] : alike.of_groups) {
      links.set_alike_groups(channel_number(request, alike.channel), low, high, alike.first);
    }
    if (alike.is_rest) {
      links.set_rest(channel_number(request, alike.channel), alike.first);
    }
  }
  return links;
}

/// The only group of a model that knows no channels. Throws Error if the table has several.
[[nodiscard]] const ParameterGroup& single_group(const BuildRequest& request);

/// For a model that knows no channels: its one set of parameters.
template <typename Read>
[[nodiscard]] auto build_single_link(const BuildRequest& request, const Read& read) {
  return read(GroupReader(request.table, single_group(request), request.bound));
}

/// A concrete model with what it takes from the table as every model does: gamma, and the host's overheads where it has
/// a member for them.
template <typename Concrete>
[[nodiscard]] Model make_model(const BuildRequest& request, Concrete model) {
  if constexpr (requires { model.combine_per_byte; }) {
    model.combine_per_byte = read_platform_value(request, "gamma");
  }
  if constexpr (requires { model.host; }) {
    model.host = read_host_overheads(request);
  }
  return model;
}

}  // namespace postage
