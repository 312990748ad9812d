#include "job/what_if.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// The first resource that is changed but not known; nullptr where all are.
const ResourceChange* first_unknown(const WhatIf& what_if, const std::vector<std::string>& known) {
  const auto unknown = std::ranges::find_if(what_if.changes, [&](const ResourceChange& change) {
    return std::ranges::find(known, change.resource) == known.end();
  });
  return unknown == what_if.changes.end() ? nullptr : &*unknown;
}

std::int32_t ranks_on_first_node(const Platform& platform) {
  return static_cast<std::int32_t>(
      std::ranges::count_if(platform.ranks, [](const RankPlacement& placement) { return placement.node == 0; }));
}

std::int32_t nodes_of(const Platform& platform) {
  std::int32_t nodes = 0;
  for (const RankPlacement& placement : platform.ranks) {
    nodes = std::max(nodes, placement.node + 1);
  }
  return nodes;
}

}  // namespace

JobOptions with_what_if(JobOptions options, const std::string& text) {
  options.what_if = parse_what_if(text);
  const bool is_scaled = options.what_if->nodes || options.what_if->per_node;
  if (is_scaled && (options.ranks > 0 || !options.blocks.empty())) {
    throw UsageError(fmt::format("--what-if {} changes the number of ranks: leave out {}", text,
                                 options.blocks.empty() ? "-P" : "--counts"));
  }
  const std::string& mapping = options.mapping.mapping;
  if (is_scaled && !mapping.empty() && mapping != "block" && mapping != "cyclic") {
    throw UsageError(fmt::format("--what-if {}: the mapping file {} says which nodes there are", text, mapping));
  }
  return options;
}

JobOptions with_scale(JobOptions options, const Platform* measured) {
  if (!options.what_if || (!options.what_if->nodes && !options.what_if->per_node)) {
    return options;
  }
  MappingOptions& mapping = options.mapping;
  if (measured != nullptr && mapping.nodes == 0 && mapping.per_node == 0) {
    mapping.nodes = nodes_of(*measured);
    mapping.per_node = ranks_on_first_node(*measured);
  }
  if (mapping.nodes == 0 || mapping.per_node == 0) {
    throw UsageError(
        fmt::format("--what-if {} needs the job as it is: give --nodes and --per-node", options.what_if->text));
  }
  mapping.nodes = options.what_if->nodes.value_or(mapping.nodes);
  mapping.per_node = options.what_if->per_node.value_or(mapping.per_node);
  return options;
}

ChangedTables changed_tables(std::vector<ParameterTable> tables, Platform& platform, const JobOptions& options) {
  if (!options.what_if) {
    return {std::move(tables)};
  }
  const WhatIf& what_if = *options.what_if;
  ChangedTables changed;
  for (ParameterTable& table : tables) {
    const std::vector<std::string> known = resources_of(platform, table);
    if (const ResourceChange* unknown = first_unknown(what_if, known)) {
      const std::string refusal =
          fmt::format("--what-if: the {} model knows no resource {} here; it knows {}, and nodes and per-node",
                      table.model, unknown->resource, describe_resources(known));
      if (options.model != "all") {
        throw UsageError(refusal);
      }
      changed.left_out.emplace(table.model, refusal);
      continue;
    }
    changed.tables.push_back(with_changes(std::move(table), platform, what_if.changes));
  }
  if (changed.tables.empty()) {
    throw UsageError(changed.left_out.begin()->second);
  }
  if (platform.network) {
    platform.network = with_changes(std::move(*platform.network), what_if.changes);
  }
  return changed;
}

std::int32_t nodes_beyond_measured(const JobPlatform& platform) {
  const bool is_measured = !platform.map.is_single() && !platform.source.models.empty();
  return is_measured
             ? std::max(0, platform.map.mapping().nodes() - static_cast<std::int32_t>(platform.source.nodes.size()))
             : 0;
}

}  // namespace postage
