#include "model/parameter_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

bool has(const ParameterGroup& group, std::string_view symbol) {
  const std::string name(symbol);
  return group.values.count(name) + group.curves.count(name) + group.surfaces.count(name) > 0;
}

/// o_i is there where o_0 is.
bool is_given(const ParameterDescription& parameter, const ParameterGroup& group) {
  return has(group, parameter.symbol.ends_with("_i") ? std::string(parameter.symbol.substr(0, 2)) + "0"
                                                     : std::string(parameter.symbol));
}

bool holds_links(const ModelDescriptor& model, const ParameterGroup& group) {
  return std::any_of(model.parameters.begin(), model.parameters.end(), [&](const ParameterDescription& parameter) {
    return parameter.owner != ParameterOwner::kPlatform && is_given(parameter, group);
  });
}

/// True where a group of this scope must have the parameter.
bool is_needed(const ParameterDescription& parameter, const ParameterGroup& group, bool has_processors) {
  if (!parameter.required || parameter.owner == ParameterOwner::kPlatform) {
    return false;
  }
  const bool is_of_processor = parameter.owner == ParameterOwner::kProcessor;
  if (group.scope.is_processor()) {
    return is_of_processor;
  }
  return !is_of_processor || (!group.scope.is_pair() && !has_processors);
}

std::string place_of(const ParameterScope& scope) {
  return scope.channel == kAllChannels ? "" : " for " + describe(scope);
}

void check_complete(const ModelDescriptor& model, const ParameterGroup& group, bool has_processors) {
  std::string needed;
  std::string_view lacking;
  for (const ParameterDescription& parameter : model.parameters) {
    if (is_needed(parameter, group, has_processors)) {
      needed += (needed.empty() ? "" : ", ") + std::string(parameter.symbol);
      lacking = lacking.empty() && !is_given(parameter, group) ? parameter.symbol : lacking;
    }
  }
  if (!lacking.empty()) {
    throw UsageError(fmt::format("--params lacks {} of the {} model{}; it needs {}", lacking, model.name,
                                 place_of(group.scope), needed));
  }
}

void check_complete(const ModelDescriptor& model, const ParameterTable& table) {
  const bool has_processors = std::any_of(table.groups.begin(), table.groups.end(),
                                          [](const ParameterGroup& group) { return group.scope.is_processor(); });
  bool any = false;
  for (const ParameterGroup& group : table.groups) {
    if (group.scope.channel != kAllChannels || holds_links(model, group)) {
      check_complete(model, group, has_processors);
      any = true;
    }
  }
  if (!any) {
    check_complete(model, {.scope = {.channel = kAllChannels}}, false);
  }
}

}  // namespace

ParameterTable parse_parameters(std::string_view model, std::string_view text) {
  const ModelDescriptor& description = find_model(model);
  ParameterTable table{.model = std::string(model), .groups = {}, .fit = {}};
  for (const TextSection& section : split_sections(text)) {
    ParameterGroup group = parse_section(description, section);
    if (!group.values.empty() || !group.curves.empty() || !group.surfaces.empty() ||
        group.scope.channel != kAllChannels) {
      table.groups.push_back(std::move(group));
    }
  }
  check_complete(description, table);
  try {
    static_cast<void>(build_model(table, channels_of(table)));
  } catch (const Error& mistake) {
    throw UsageError(fmt::format("--params: {}", mistake.what()));
  }
  return table;
}

std::vector<std::string> channels_of(const ParameterTable& table) {
  std::vector<std::string> channels;
  for (const ParameterGroup& group : table.groups) {
    const std::string& name = group.scope.channel;
    if (!name.empty() && name != kAllChannels && std::find(channels.begin(), channels.end(), name) == channels.end()) {
      channels.push_back(name);
    }
  }
  return channels;
}

}  // namespace postage
