#include "cli/job.hpp"

#include "cli/hand_platform.hpp"
#include "cli/model_choice.hpp"

#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace postage {
namespace {

Mapping resolve_mapping(const JobOptions& options, const Platform& platform) {
  if (!options.mapping.empty() && options.mapping != "block" && options.mapping != "cyclic") {
    return Mapping::from_file(options.mapping);
  }
  if (options.nodes == 0 && options.per_node == 0) {
    if (!options.mapping.empty()) {
      throw UsageError(fmt::format("--mapping {} needs --nodes and --per-node", options.mapping));
    }
    return Mapping::explicit_placements(platform.ranks);  // as measured
  }
  if (options.nodes < 1 || options.per_node < 1) {
    throw UsageError("--nodes and --per-node go together, each at least 1");
  }
  return options.mapping == "cyclic" ? Mapping::cyclic(options.nodes, options.per_node)
                                     : Mapping::block(options.nodes, options.per_node);
}

bool has_parameter(const Algorithm& algorithm, const std::string& name) {
  return std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                     [&](const AlgorithmParameter& parameter) { return parameter.name == name; });
}

/// Parameters by hand: all transfers on one channel, or on a platform of --nodes and --per-node.
std::vector<OtherMapping> other_mappings(const JobOptions& options, const Platform& platform) {
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
                        const std::vector<std::string>& channels) {
  JobPlatform job{.map = std::move(map), .models = {}};
  for (const ParameterTable& table : tables) {
    job.models.emplace_back(table, channels, job.map);
  }
  return job;
}

JobPlatform resolve_by_hand(const JobOptions& options) {
  if (options.model == "all" || options.model == "best") {
    throw UsageError("--params needs --model NAME to say which model the parameters are of");
  }
  ParameterTable table = parse_parameters(options.model, options.parameters);
  if (options.nodes == 0 && options.per_node == 0 && options.mapping.empty()) {
    if (needs_places(table)) {
      throw UsageError("--params tells channels or ranks apart: say with --nodes and --per-node where ranks sit");
    }
    return with_models(ChannelMap::single_channel(), {std::move(table)}, {kAllChannels});
  }
  if (options.nodes < 1 || options.per_node < 1) {
    throw UsageError("--nodes and --per-node go together, each at least 1");
  }
  const Platform platform = platform_by_hand(table, options.nodes, options.per_node);
  JobPlatform job =
      with_models(ChannelMap(platform, resolve_mapping(options, platform)), {std::move(table)}, platform.channels);
  job.other_mappings = other_mappings(options, platform);
  return job;
}

}  // namespace

void add_job_options(Command& command, JobOptions& options) {
  command.option("collective", options.collective, "A collective like bcast or barrier, or p2p").required();
  command.option("--algorithm", options.algorithm, "Name of an algorithm, or all").with_default();
  command.option("-P,--ranks", options.ranks, "Number of ranks; by default those of the platform");
  command.option("-m,--size", options.sizes, "Sizes in bytes: 64K or 1K,64K or 1K:1M:x2");
  command.option("--root", options.root, "Root rank").with_default();
  command.option("--segment", options.segment, "Bytes of a segment; 0 does not segment").with_default();
  command.option("--set", options.settings, "An algorithm's own parameter, like radix=4; may be given again");
  command.option("--within", options.within,
                 "Node-aware: algorithm within nodes, or two for up and down: gather's,bcast's");
  command.option("--among", options.among, "Node-aware: algorithm among the nodes' leaders");
  command
      .option(
          "--evaluator", options.evaluator,
          "timeline: rank by rank; rounds: round by round, with contention; flows: of the model flow; auto: what suits")
      .with_default();
  command
      .option("--max-extrapolation", options.max_extrapolation,
              "Refuse sizes more than this factor outside the measured ones")
      .with_default();
  command.option("--src", options.source, "p2p: sending rank").with_default();
  command.option("--dst", options.target, "p2p: receiving rank").with_default();
  command
      .option("--model", options.model,
              "A model, several like loggp,lmo, all, or best: that of the platform's which predicts most closely")
      .with_default();
  const Option platform = command.option("--platform", options.platform, "Platform file that postage measure wrote");
  command.option("--params", options.parameters, "Parameters by hand, like L=5us,o=1us,g=2us,G=1ns; see postage models")
      .excludes(platform);
  command.option("--mapping", options.mapping, "block, cyclic, or a file with a line 'NODE SLOT' for each rank");
  command.option("--nodes", options.nodes, "Nodes of the job");
  command.option("--per-node", options.per_node, "Ranks on each node");
  command.flag("--json", options.json, "Print JSON");
}

JobPlatform resolve_platform(const JobOptions& options) {
  if (!options.parameters.empty()) {
    return resolve_by_hand(options);
  }
  if (options.platform.empty()) {
    throw UsageError("no parameters: give --platform FILE (see postage measure) or --params with --model");
  }
  const Platform platform = read_platform(options.platform);
  if (platform.models.empty()) {
    throw Error(fmt::format("{} holds no model parameters; measure it again", options.platform));
  }
  JobPlatform job = with_models(ChannelMap(platform, resolve_mapping(options, platform)),
                                choose_tables(platform, options), platform.channels);
  job.chosen_of = options.model == "best" ? platform.models.size() : 1;
  job.other_mappings = other_mappings(options, platform);
  return job;
}

ParameterValues parse_settings(const std::vector<std::string>& settings) {
  ParameterValues values;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    const char* const end = setting.data() + setting.size();
    Index value = 0;
    const char* const digits = setting.data() + std::min(equals, setting.size() - 1) + 1;
    const auto [stop, error] = std::from_chars(digits, end, value);
    if (equals == std::string::npos || equals == 0 || error != std::errc() || stop != end) {
      throw UsageError(fmt::format("--set {}: give NAME=NUMBER, like radix=4", setting));
    }
    values[setting.substr(0, equals)] = value;
  }
  return values;
}

namespace {

void check_places(const Mapping& mapping, Rank ranks) {
  if (mapping.capacity() < ranks) {
    throw UsageError(fmt::format("there are places for {} ranks, but P is {}: {}", mapping.capacity(), ranks,
                                 mapping.kind() == Mapping::Kind::kExplicit
                                     ? "say where more ranks sit, with --nodes and --per-node"
                                     : "give more --nodes, or more ranks on each with --per-node"));
  }
}

}  // namespace

Rank resolve_ranks(const JobOptions& options, const JobPlatform& platform) {
  if (!platform.map.is_single()) {
    check_places(platform.map.mapping(), options.ranks);
  }
  if (options.ranks == 0 && !platform.map.is_single()) {
    return static_cast<Rank>(platform.map.mapping().capacity());
  }
  if (options.ranks == 0 && options.collective != "p2p") {
    throw UsageError("no number of ranks: give -P N");
  }
  return options.ranks;
}

std::vector<Bytes> resolve_sizes(const JobOptions& options) {
  if (!options.sizes.empty()) {
    return parse_sizes(options.sizes);
  }
  if (options.collective == "barrier") {
    return {0};
  }
  throw UsageError("no size: give -m SIZE, like -m 64K or -m 1K:1M:x2");
}

NodeMap node_map_of(const ChannelMap& map, Rank ranks) {
  if (map.is_single()) {
    throw UsageError("a node-aware composition needs nodes: give --platform FILE, and --nodes and --per-node");
  }
  return node_map_of(map.mapping(), ranks);
}

NodeMap node_map_of(const Mapping& mapping, Rank ranks) {
  check_places(mapping, ranks);
  switch (mapping.kind()) {
    case Mapping::Kind::kBlock:
      return NodeMap::block(ranks, mapping.per_node());
    case Mapping::Kind::kCyclic:
      return NodeMap::cyclic(ranks, mapping.nodes());
    case Mapping::Kind::kExplicit:
      break;
  }
  std::vector<Index> labels;
  labels.reserve(static_cast<std::size_t>(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) {
    labels.push_back(mapping.placement_of(rank).node);
  }
  return NodeMap::listed(labels);
}

NodeParts parse_node_parts(const std::string& within, const std::string& among) {
  if (within.empty() || among.empty()) {
    throw UsageError("--within and --among go together: an algorithm within nodes and one among their leaders");
  }
  const std::size_t comma = within.find(',');
  const std::string down = comma == std::string::npos ? within : within.substr(comma + 1);
  return {.up = {within.substr(0, comma)}, .across = {among}, .down = {down}};
}

std::vector<JobSchedule> resolve_schedules(const JobOptions& options, const ChannelMap& map, Bytes bytes) {
  const Collective collective = parse_collective(options.collective);
  ScheduleRequest request{.ranks = options.ranks,
                          .root = options.root,
                          .bytes = collective == Collective::kBarrier ? 0 : bytes,
                          .segment_bytes = parse_bytes(options.segment)};
  const ParameterValues settings = parse_settings(options.settings);
  std::vector<JobSchedule> schedules;
  if (!options.within.empty() || !options.among.empty()) {
    const NodeParts parts = parse_node_parts(options.within, options.among);
    Schedule schedule = node_aware_schedule(collective, request, node_map_of(map, options.ranks), parts);
    schedules.push_back({schedule.algorithm, request.segment_bytes, std::move(schedule)});
    return schedules;
  }
  for (const Algorithm* algorithm : resolve_algorithms(options, collective)) {
    request.parameters = settings;
    if (options.algorithm == "all") {
      // What one algorithm takes is no mistake of the others.
      std::erase_if(request.parameters, [&](const auto& setting) { return !has_parameter(*algorithm, setting.first); });
    }
    schedules.push_back({std::string(algorithm->name), algorithm->segmentable ? request.segment_bytes : 0,
                         build_schedule(*algorithm, request)});
  }
  return schedules;
}

std::optional<Evaluator> asked_evaluator(const JobOptions& options) {
  return options.evaluator == "auto" ? std::nullopt : std::optional(parse_evaluator(options.evaluator));
}

Evaluator resolve_evaluator(const JobOptions& options, const Schedule& schedule, const ChannelMap& map,
                            const Model& model) {
  const auto asked = asked_evaluator(options);
  return asked ? *asked : choose_evaluator(schedule, map, model);
}

std::vector<const Algorithm*> resolve_algorithms(const JobOptions& options, Collective collective) {
  std::vector<const Algorithm*> chosen;
  if (options.algorithm != "all") {
    chosen.push_back(&find_algorithm(collective, options.algorithm));
    return chosen;
  }
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    if (can_do(algorithm, options.ranks)) {
      chosen.push_back(&algorithm);
    }
  }
  if (chosen.empty()) {
    throw UsageError(fmt::format("there is no {} algorithm yet", name_of(collective)));
  }
  return chosen;
}

}  // namespace postage
