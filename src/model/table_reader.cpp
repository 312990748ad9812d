#include <postage/model/table_reader.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// True where the group holds something other than parameters of the platform as a whole.
bool describes_links(const ModelDescriptor& descriptor, const ParameterGroup& group) {
  const auto is_of_link = [&](const std::string& symbol) {
    return std::any_of(descriptor.parameters.begin(), descriptor.parameters.end(), [&](const auto& parameter) {
      return parameter.owner != ParameterOwner::kPlatform && parameter.matches(symbol);
    });
  };
  const auto any = [&](const auto& named) {
    return std::any_of(named.begin(), named.end(), [&](const auto& entry) { return is_of_link(entry.first); });
  };
  return any(group.values) || any(group.curves) || any(group.surfaces);
}

void check_regimes(const ParameterTable& table, const ParameterScope& scope,
                   const std::vector<const ParameterGroup*>& groups) {
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (groups[i]->from_bytes == groups[i - 1]->from_bytes) {
      throw Error(fmt::format("the {} model has two sets of parameters for {} from {} bytes", table.model,
                              describe(scope), groups[i]->from_bytes));
    }
  }
  if (groups.front()->from_bytes != 0) {
    throw Error(fmt::format("the {} model has no parameters for {} below {} bytes", table.model, describe(scope),
                            groups.front()->from_bytes));
  }
}

/// The only group that has the parameter; null where none has.
const ParameterGroup* holder_of(const BuildRequest& request, const char* symbol) {
  const ParameterGroup* holder = nullptr;
  for (const ParameterGroup& group : request.table.groups) {
    if (group.values.count(symbol) + group.curves.count(symbol) == 0) {
      continue;
    }
    if (holder != nullptr) {
      throw Error(fmt::format("the {} model has {} for {} and for {}; one of them is for the whole platform",
                              request.table.model, symbol, describe(holder->scope), describe(group.scope)));
    }
    holder = &group;
  }
  return holder;
}

}  // namespace

GroupsByScope groups_by_scope(const BuildRequest& request) {
  GroupsByScope scopes;
  for (const ParameterGroup& group : request.table.groups) {
    if (group.scope.channel != kAllChannels || describes_links(request.descriptor, group)) {
      scopes[group.scope].push_back(&group);
    }
  }
  for (auto& [scope, groups] : scopes) {
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto* a, const auto* b) { return a->from_bytes < b->from_bytes; });
    check_regimes(request.table, scope, groups);
  }
  return scopes;
}

ChannelId channel_number(const BuildRequest& request, std::string_view name) {
  const auto found = std::find(request.channels.begin(), request.channels.end(), name);
  if (found == request.channels.end()) {
    throw Error(fmt::format("the {} model has parameters for channel {}, which is none of the platform's: {}",
                            request.table.model, name, fmt::join(request.channels, ", ")));
  }
  return static_cast<ChannelId>(found - request.channels.begin());
}

std::vector<int> processors_that_stand_for(const BuildRequest& request) {
  const std::vector<int>& kinds = request.table.kind_of_rank;
  std::vector<int> first_of_kind(
      kinds.empty() ? 0 : static_cast<std::size_t>(*std::max_element(kinds.begin(), kinds.end())) + 1, -1);
  std::vector<int> result(kinds.size(), -1);
  for (const auto& [scope, groups] : groups_by_scope(request)) {
    if (!scope.is_processor()) {
      continue;
    }
    const auto rank = static_cast<std::size_t>(scope.processor);
    result.resize(std::max(result.size(), rank + 1), -1);
    result[rank] = scope.processor;
    if (rank < kinds.size()) {
      int& first = first_of_kind[static_cast<std::size_t>(kinds[rank])];
      first = first < 0 ? scope.processor : std::min(first, scope.processor);
    }
  }
  for (std::size_t rank = 0; rank < kinds.size(); ++rank) {
    result[rank] = result[rank] < 0 ? first_of_kind[static_cast<std::size_t>(kinds[rank])] : result[rank];
  }
  return result;
}

const ParameterGroup* find_platform_group(const ParameterTable& table) {
  const auto found = std::find_if(table.groups.begin(), table.groups.end(),
                                  [](const ParameterGroup& group) { return group.scope.channel == kAllChannels; });
  return found == table.groups.end() ? nullptr : &*found;
}

double read_platform_value(const BuildRequest& request, const char* symbol) {
  const ParameterGroup* holder = holder_of(request, symbol);
  return holder == nullptr ? 0 : GroupReader(request.table, *holder, request.bound).value(symbol);
}

CostCurve read_platform_curve(const BuildRequest& request, const char* symbol) {
  const ParameterGroup* holder = holder_of(request, symbol);
  return holder == nullptr ? CostCurve() : GroupReader(request.table, *holder, request.bound).curve(symbol);
}

const ParameterGroup& single_group(const BuildRequest& request) {
  const GroupsByScope groups = groups_by_scope(request);
  if (groups.size() != 1 || groups.begin()->second.size() != 1) {
    throw Error(fmt::format("the {} model has one set of parameters for every transfer, not {}; {}",
                            request.descriptor.name, groups.size(),
                            "its relatives mlognp and 2log23p have one for each channel"));
  }
  return *groups.begin()->second.front();
}

}  // namespace postage
