#include "job/what_if.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/job/job.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/samples/oversubscription.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// True where several ranks of a node send to other nodes.
bool shares_cards(const MappingOptions& mapping, const Platform& platform) {
  const bool is_given = mapping.nodes > 0;
  return is_given ? mapping.nodes > 1 && mapping.per_node > 1
                  : platform.nodes.size() > 1 && platform.ranks.size() > platform.nodes.size();
}

/// Those that play traces; unless one was named, of these such as know that ranks of a node share its card, where they
/// do and the platform has any.
std::vector<ParameterTable> playing_tables(std::vector<ParameterTable> tables, const JobOptions& options,
                                           const Platform& platform) {
  const auto properties = [](const ParameterTable& table) { return find_model(table.model).properties; };
  std::erase_if(tables, [&](const ParameterTable& table) { return properties(table).has_flows; });
  if (tables.empty()) {
    throw UsageError("the model flow plays no traces, and the platform has no other: measure with --models all");
  }
  const auto feels = [&](const ParameterTable& table) { return properties(table).feels_contention; };
  if (options.model == "best" && shares_cards(options.mapping, platform) && std::ranges::any_of(tables, feels)) {
    std::erase_if(tables, [&](const ParameterTable& table) { return !feels(table); });
  }
  return tables;
}

/// Those that predict messages with strides, or play a trace, where these are asked for.
std::vector<ParameterTable> able_tables(const Platform& platform, const JobOptions& options) {
  std::vector<ParameterTable> tables =
      options.plays_trace ? playing_tables(platform.models, options, platform) : platform.models;
  if (!options.strides.parsed().is_contiguous()) {
    std::erase_if(tables, [](const ParameterTable& table) { return !depends_on_stride(table); });
  }
  if (tables.empty()) {
    throw UsageError(
        "--stride needs a model with a parameter over strides: lognp, log3p, mlognp or 2log23p, and its l measured");
  }
  return tables;
}

/// The model to take where none is asked for. Held-out collectives have no strides, and say nothing of those that do.
ModelChoice default_model(const std::vector<ParameterTable>& tables, const Platform& platform,
                          const JobOptions& options) {
  return choose_model(tables, options.strides.parsed().is_contiguous() ? platform.held_out : HeldOut{});
}

std::vector<ParameterTable> tables_of(const Platform& platform, const JobOptions& options) {
  if (options.model == "all" || options.model == "best") {
    std::vector<ParameterTable> tables = able_tables(platform, options);
    return options.model == "all" ? tables : std::vector{*default_model(tables, platform, options).table};
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

/// Why the model is what it is, and intervals from the platform's held-out collectives, which have no strides.
void add_choice(const JobOptions& options, const Platform& platform, JobPlatform& job) {
  if (options.model == "best") {
    const std::vector<ParameterTable> tables = able_tables(platform, options);
    job.choice = tables.size() > 1 ? default_model(tables, platform, options).reason : "";
  }
  if (options.strides.parsed().is_contiguous()) {
    const ModelChoice choice = choose_model(platform.models, platform.held_out);
    for (const HeldOutCollective& one : platform.held_out.collectives) {
      job.most_held_out_ranks = std::max(job.most_held_out_ranks, one.ranks);
    }
    for (PlatformModel& model : job.models) {
      model = model.with_calibrations(calibrations_of(platform.held_out, model.name(), choice));
    }
  }
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
  if (options.model.find(',') != std::string::npos) {
    throw UsageError(
        fmt::format("--params has the parameters of one model: give --model one name, not {}", options.model));
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
    Platform nowhere{.name = "by hand", .channels = {kAllChannels}};
    const ChangedTables changed = changed_tables({table}, nowhere, options);
    JobPlatform job = with_models(ChannelMap::single_channel(), changed.tables, {kAllChannels}, options.strides);
    job.source = std::move(nowhere);
    return job;
  }
  // A mapping file says by itself how many nodes there are.
  const std::int32_t nodes = std::max(options.mapping.nodes, mapping->nodes());
  const std::int32_t per_node = std::max(options.mapping.per_node, mapping->per_node());
  Platform platform = platform_of(table, nodes, per_node, parse_levels(options.levels, per_node));
  const ChangedTables changed = changed_tables({table}, platform, options);
  JobPlatform job = with_models(ChannelMap(platform, *mapping), changed.tables, platform.channels, options.strides);
  job.other_mappings = other_mappings(options.mapping, platform);
  job.source = std::move(platform);
  return job;
}

}  // namespace

JobPlatform resolve_platform(const JobOptions& given) {
  if (!given.parameters.empty()) {
    return with_given_parameters(with_scale(given, nullptr));
  }
  if (given.platform.empty() && !given.known_platform) {
    throw UsageError("no parameters: give --platform FILE (see postage measure) or --params with --model");
  }
  Platform platform = given.known_platform ? *given.known_platform : read_platform(given.platform);
  const JobOptions options = with_scale(given, &platform);
  if (platform.models.empty()) {
    throw UsageError(fmt::format("{} has no model parameters; measure the platform again", options.platform));
  }
  ChangedTables changed = changed_tables(tables_of(platform, options), platform, options);
  const Mapping mapping = given_mapping(options.mapping).value_or(Mapping::explicit_placements(platform.ranks));
  JobPlatform job = with_models(ChannelMap(platform, mapping), changed.tables, platform.channels, options.strides);
  job.left_out = std::move(changed.left_out);
  add_choice(options, platform, job);
  job.other_mappings = other_mappings(options.mapping, platform);
  job.oversubscribed = given_mapping(options.mapping) ? "" : tell_oversubscribed(platform.nodes, platform.ranks);
  job.source = std::move(platform);
  return job;
}

Json with_choice(Json list, const JobPlatform& platform) {
  if (!platform.choice.empty()) {
    for (Json& item : list) {
      item["model_choice"] = platform.choice;
    }
  }
  return list;
}

std::vector<std::string> limits_of(const JobPlatform& platform, Rank ranks) {
  std::vector<std::string> limits;
  if (!platform.oversubscribed.empty()) {
    limits.push_back(platform.oversubscribed);
  }
  if (platform.most_held_out_ranks > 0 && ranks > platform.most_held_out_ranks) {
    limits.push_back(fmt::format(
        "intervals are those of collectives of up to {} ranks, which were measured; errors may be larger on {}",
        platform.most_held_out_ranks, ranks));
  }
  return limits;
}

ExtrapolationLimit extrapolation_limit(const JobOptions& options) {
  if (!(options.max_extrapolation >= 1)) {
    throw UsageError(
        fmt::format("--max-extrapolation {}: give a factor of at least 1, like 8", options.max_extrapolation));
  }
  return {options.max_extrapolation, options.model == "all"};
}

void check_any_left(const ExtrapolationLimit& limit, bool any_prediction) {
  if (!any_prediction && !limit.left_out().empty()) {
    throw UsageError(limit.left_out().begin()->second);
  }
}

}  // namespace postage
