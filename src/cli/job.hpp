#pragma once

#include <postage/platform/mapping.hpp>
#include <postage/schedule/algorithms.hpp>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace postage {

/// What is to be predicted, as typed: shared by predict and explain.
struct JobOptions {
  std::string collective;
  std::string algorithm = "all";
  Rank ranks = 0;
  std::string sizes;
  Rank root = 0;
  std::string segment = "0";
  Rank source = 0;
  Rank target = 1;
  std::string model = "all";
  std::string platform;
  std::string parameters;
  std::string mapping;
  std::int32_t nodes = 0;
  std::int32_t per_node = 0;
  bool json = false;
};

void add_job_options(CLI::App& command, JobOptions& options);

/// A platform with its channel map and the parameter tables asked for: from a file, or from --params.
struct JobPlatform {
  std::vector<std::string> channels;
  ChannelMap map;
  std::vector<ParameterTable> tables;
  bool is_virtual = false;
};

/// Throws UsageError or Error.
[[nodiscard]] JobPlatform resolve_platform(const JobOptions& options);

/// The algorithms asked for; "all" leaves out those that cannot do P.
[[nodiscard]] std::vector<const Algorithm*> resolve_algorithms(const JobOptions& options, Collective collective);

}  // namespace postage
