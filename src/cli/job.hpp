#pragma once

#include <postage/base/options.hpp>
#include <postage/optimize/advice.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/patterns/node_aware.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// Segment sizes that are tried where none were asked for.
inline constexpr const char* kUsualSegments = "0,4K,16K,64K,256K,1M";

/// What is to be predicted, as typed: shared by predict and explain.
struct JobOptions {
  std::string collective;
  std::string algorithm = "all";
  Rank ranks = 0;
  std::string sizes;
  Rank root = 0;
  std::string segment = "0";
  std::vector<std::string> settings;  ///< NAME=VALUE of the algorithm's own parameters
  std::string within;                 ///< node-aware: algorithms within nodes, up and down
  std::string among;                  ///< node-aware: algorithm among the nodes' leaders
  std::string evaluator = "auto";
  double max_extrapolation = 8;
  Rank source = 0;
  Rank target = 1;
  std::string stride = "0";  ///< of a message, in bytes
  std::string model = "best";
  std::string platform;
  std::string parameters;
  std::string mapping;
  std::int32_t nodes = 0;
  std::int32_t per_node = 0;
  bool json = false;
};

void add_job_options(Command& command, JobOptions& options);

/// A platform with the models asked for: from a file, or from --params.
struct JobPlatform {
  ChannelMap map;
  std::vector<PlatformModel> models;
  /// How many models there were, where the best of them was to be taken; 1 where nothing was chosen.
  std::size_t chosen_of = 1;
  /// The other of block and cyclic, where the job's is one of them.
  std::vector<OtherMapping> other_mappings{};
};

/// Throws UsageError or Error.
[[nodiscard]] JobPlatform resolve_platform(const JobOptions& options);

/// Reads "radix=4" and the like; throws UsageError naming the one that cannot be read.
[[nodiscard]] ParameterValues parse_settings(const std::vector<std::string>& settings);

/// P, by default the platform's. Throws UsageError where neither is known.
[[nodiscard]] Rank resolve_ranks(const JobOptions& options, const JobPlatform& platform);

/// The sizes asked for; {0} for a barrier.
[[nodiscard]] std::vector<Bytes> resolve_sizes(const JobOptions& options);

/// A schedule that was asked for.
struct JobSchedule {
  std::string algorithm;
  Bytes segment = 0;
  Schedule schedule;
};

/// The schedules that the options ask for at one size: one algorithm, all that can do P, or a node-aware composition.
[[nodiscard]] std::vector<JobSchedule> resolve_schedules(const JobOptions& options, const ChannelMap& map, Bytes bytes);

/// The job's ranks by node. Throws UsageError where the mapping has no nodes to tell apart, or no place for P.
[[nodiscard]] NodeMap node_map_of(const ChannelMap& map, Rank ranks);
[[nodiscard]] NodeMap node_map_of(const Mapping& mapping, Rank ranks);

/// Algorithms within nodes (`within`: one name, or those for up and down with a comma between) and among the nodes'
/// leaders. Throws UsageError where one of the two is missing.
[[nodiscard]] NodeParts parse_node_parts(const std::string& within, const std::string& among);

/// The evaluator asked for; nothing where the one that suits is to be taken.
[[nodiscard]] std::optional<Evaluator> asked_evaluator(const JobOptions& options);
/// The evaluator asked for, or the one that suits.
[[nodiscard]] Evaluator resolve_evaluator(const JobOptions& options, const Schedule& schedule, const ChannelMap& map,
                                          const Model& model);

/// The algorithms asked for; "all" leaves out those that cannot do P.
[[nodiscard]] std::vector<const Algorithm*> resolve_algorithms(const JobOptions& options, Collective collective);

}  // namespace postage
