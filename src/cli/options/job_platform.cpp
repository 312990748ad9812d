#include "cli/options/job.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/predict/given_parameters.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// Those that predict messages with strides, where these are asked for.
std::vector<ParameterTable> with_stride(std::vector<ParameterTable> tables, const JobOptions& options) {
  if (!options.strides.parsed().is_contiguous()) {
    std::erase_if(tables, [](const ParameterTable& table) { return !depends_on_stride(table); });
  }
  if (tables.empty()) {
    throw UsageError(
        "--stride needs a model with a parameter over strides: lognp, log3p, mlognp or 2log23p, and its l measured");
  }
  return tables;
}

std::vector<ParameterTable> tables_of(const Platform& platform, const JobOptions& options) {
  if (options.model == "all" || options.model == "best") {
    const std::vector<ParameterTable> tables = with_stride(platform.models, options);
    return options.model == "all" ? tables : std::vector{most_accurate(tables)};
  }
  std::vector<ParameterTable> chosen;
  std::vector<std::string> names;
  for (const ParameterTable& table : platform.models) {
    names.push_back(table.model);
  }
  for (const std::string& model : parse_models(options.model)) {
    const ParameterTable* table = find_table(model, platform.models);
    if (table == nullptr) {
      throw UsageError(fmt::format("{} has no parameters of the {} model; it has {}", options.platform, model,
                                   fmt::join(names, ", ")));
    }
    chosen.push_back(*table);
  }
  return chosen;
}

std::vector<OtherMapping> other_mappings(const MappingOptions& options, const Platform& platform) {
  if (options.nodes <= 1 || options.per_node <= 1) {
    return {};
  }
  if (options.mapping == "cyclic") {
    return {{"block", ChannelMap(platform, Mapping::block(options.nodes, options.per_node))}};
  }
  if (options.mapping.empty() || options.mapping == "block") {
    return {{"cyclic", ChannelMap(platform, Mapping::cyclic(options.nodes, options.per_node))}};
  }
  return {};
}

JobPlatform with_models(ChannelMap map, const std::vector<ParameterTable>& tables,
                        const std::vector<std::string>& channels, const StrideOptions& strided) {
  const Strides strides = strided.parsed();
  if (strided.by_hand && strides.is_contiguous()) {
    throw UsageError("--by-hand is for strided messages: give --stride as well");
  }
  JobPlatform job{.map = std::move(map), .models = {}};
  for (const ParameterTable& table : tables) {
    const PlatformModel model(strided.by_hand ? packed_by_hand(table) : table, channels, job.map);
    job.models.push_back(strides.is_contiguous() ? model : model.with_strides(strides));
  }
  return job;
}

JobPlatform with_given_parameters(const JobOptions& options) {
  if (options.model == "all" || options.model == "best") {
    throw UsageError("--params needs --model NAME: the model that the parameters belong to");
  }
  const ParameterTable table = parse_parameters(options.model, options.parameters);
  const std::optional<Mapping> mapping = given_mapping(options.mapping);
  if (!mapping) {
    if (depends_on_mapping(table)) {
      throw UsageError("parameters by channel or rank need a mapping: give --nodes and --per-node");
    }
    if (!options.levels.empty()) {
      throw UsageError("--levels needs a mapping: give --nodes and --per-node");
    }
    return with_models(ChannelMap::single_channel(), {table}, {kAllChannels}, options.strides);
  }
  if (options.mapping.nodes < 1 || options.mapping.per_node < 1) {
    throw UsageError("give both --nodes and --per-node, each at least 1");
  }
  const Platform platform = platform_of(table, options.mapping.nodes, options.mapping.per_node,
                                        parse_levels(options.levels, options.mapping.per_node));
  JobPlatform job = with_models(ChannelMap(platform, *mapping), {table}, platform.channels, options.strides);
  job.other_mappings = other_mappings(options.mapping, platform);
  return job;
}

}  // namespace

JobPlatform resolve_platform(const JobOptions& options) {
  if (!options.parameters.empty()) {
    return with_given_parameters(options);
  }
  if (options.platform.empty()) {
    throw UsageError("no parameters: give --platform FILE (see postage measure) or --params with --model");
  }
  const Platform platform = read_platform(options.platform);
  if (platform.models.empty()) {
    throw Error(fmt::format("{} has no model parameters; measure the platform again", options.platform));
  }
  const Mapping mapping = given_mapping(options.mapping).value_or(Mapping::explicit_placements(platform.ranks));
  JobPlatform job =
      with_models(ChannelMap(platform, mapping), tables_of(platform, options), platform.channels, options.strides);
  job.chosen_of = options.model == "best" ? platform.models.size() : 1;
  job.other_mappings = other_mappings(options.mapping, platform);
  return job;
}

void print_choice(const JobPlatform& platform) {
  if (platform.chosen_of > 1) {
    fmt::print(stderr, "postage: predicted with {}, the most accurate of {} models; --model all takes all\n",
               platform.models.front().name(), platform.chosen_of);
  }
}

ExtrapolationLimit extrapolation_limit(const JobOptions& options) {
  return {options.max_extrapolation, options.model == "all"};
}

void print_left_out(const ExtrapolationLimit& limit, bool any_prediction) {
  if (!any_prediction && !limit.left_out().empty()) {
    throw UsageError(limit.left_out().begin()->second);
  }
  for (const auto& [model, reason] : limit.left_out()) {
    fmt::print(stderr, "postage: left out {}: {}\n", model, reason);
  }
}

}  // namespace postage
