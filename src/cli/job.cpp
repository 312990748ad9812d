#include "cli/job.hpp"

#include "cli/hand_platform.hpp"

#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

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
    return Mapping::explicit_places(platform.ranks);  // as measured
  }
  if (options.nodes < 1 || options.per_node < 1) {
    throw UsageError("--nodes and --per-node go together, each at least 1");
  }
  return options.mapping == "cyclic" ? Mapping::cyclic(options.nodes, options.per_node)
                                     : Mapping::block(options.nodes, options.per_node);
}

std::string names_of(const std::vector<ParameterTable>& tables) {
  std::string names;
  for (const ParameterTable& table : tables) {
    names += (names.empty() ? "" : ", ") + table.model;
  }
  return names;
}

std::vector<ParameterTable> choose_tables(const Platform& platform, const std::string& model, const std::string& file) {
  if (model == "all") {
    return platform.models;
  }
  static_cast<void>(find_model(model));
  for (const ParameterTable& table : platform.models) {
    if (table.model == model) {
      return {table};
    }
  }
  throw UsageError(
      fmt::format("{} has no parameters of the {} model; it has {}", file, model, names_of(platform.models)));
}

/// Parameters by hand: all transfers on one channel, or on a platform of --nodes and --per-node.
JobPlatform resolve_by_hand(const JobOptions& options) {
  if (options.model == "all") {
    throw UsageError("--params needs --model NAME to say which model the parameters are of");
  }
  ParameterTable table = parse_parameters(options.model, options.parameters);
  if (options.nodes == 0 && options.per_node == 0 && options.mapping.empty()) {
    if (needs_places(table)) {
      throw UsageError("--params tells channels or ranks apart: say with --nodes and --per-node where ranks sit");
    }
    return {{kAllChannels}, ChannelMap::single_channel(), {std::move(table)}};
  }
  if (options.nodes < 1 || options.per_node < 1) {
    throw UsageError("--nodes and --per-node go together, each at least 1");
  }
  const Platform platform = platform_by_hand(table, options.nodes, options.per_node);
  return {platform.channels, ChannelMap(platform, resolve_mapping(options, platform)), {std::move(table)}};
}

}  // namespace

void add_job_options(CLI::App& command, JobOptions& options) {
  command.add_option("collective", options.collective, "A collective like bcast or barrier, or p2p")->required();
  command.add_option("--algorithm", options.algorithm, "Name of an algorithm, or all")->capture_default_str();
  command.add_option("-P,--ranks", options.ranks, "Number of ranks; by default those of the platform");
  command.add_option("-m,--size", options.sizes, "Sizes in bytes: 64K or 1K,64K or 1K:1M:x2");
  command.add_option("--root", options.root, "Root rank")->capture_default_str();
  command.add_option("--segment", options.segment, "Bytes of a segment; 0 does not segment")->capture_default_str();
  command.add_option("--src", options.source, "p2p: sending rank")->capture_default_str();
  command.add_option("--dst", options.target, "p2p: receiving rank")->capture_default_str();
  command.add_option("--model", options.model, "Name of a model, or all")->capture_default_str();
  auto* platform = command.add_option("--platform", options.platform, "Platform file that postage measure wrote");
  command
      .add_option("--params", options.parameters,
                  "Parameters by hand, like L=5us,o=1us,g=2us,G=1ns; see postage models")
      ->excludes(platform);
  command.add_option("--mapping", options.mapping, "block, cyclic, or a file with a line 'NODE SLOT' for each rank");
  command.add_option("--nodes", options.nodes, "Nodes of the job");
  command.add_option("--per-node", options.per_node, "Ranks on each node");
  command.add_flag("--json", options.json, "Print JSON");
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
  return {platform.channels, ChannelMap(platform, resolve_mapping(options, platform)),
          choose_tables(platform, options.model, options.platform), platform.is_virtual};
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
