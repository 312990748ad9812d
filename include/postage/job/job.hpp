#pragma once

#include <postage/base/json.hpp>
#include <postage/base/strides.hpp>
#include <postage/job/counts.hpp>
#include <postage/job/placement.hpp>
#include <postage/optimize/advice.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/predict/what_if.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/tree_file.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace postage {

/// Segment sizes that are tried where none were asked for.
inline constexpr const char* kUsualSegments = "0,4K,16K,64K,256K,1M";

/// Strides of all messages, as typed.
struct StrideOptions {
  std::string stride = "0";
  std::string run{kUsualRun};
  bool by_hand = false;

  /// Contiguous where no stride was given. Throws UsageError.
  [[nodiscard]] Strides parsed() const { return parse_strides(stride, run); }
};

/// What is to be predicted, explained or compared, as typed on a command line or passed from Python.
struct JobOptions {
  std::string collective;
  std::string algorithm = "all";
  Rank ranks = 0;
  std::string sizes;
  Rank root = 0;
  std::string segment = "0";
  std::string calls = "overlapping";
  CountOptions counts;
  UnevenBlocks blocks;                ///< those of `counts`, once take_counts has read them
  std::vector<std::string> settings;  ///< NAME=VALUE of the algorithm's own parameters
  NodeAwareOptions node_aware;
  std::string evaluator = "auto";
  double max_extrapolation = 8;
  Rank source = 0;
  Rank target = 1;
  StrideOptions strides;
  std::string schedule{};                ///< a schedule file instead of an algorithm
  std::optional<CollectiveTree> tree{};  ///< what it holds, once take_counts has read it
  std::string model = "best";
  bool plays_trace = false;  ///< models with flows, which play none, are neither chosen nor among all
  std::string platform;      ///< a file
  std::shared_ptr<const Platform> known_platform{};  ///< what the file holds, where it has been read
  std::string parameters;
  std::string levels;  ///< of parameters given by hand
  MappingOptions mapping;
  std::optional<WhatIf> what_if{};  ///< the machine to predict for is the platform's with these changes
};

/// A platform with the models asked for: from a file, or from --params.
struct JobPlatform {
  ChannelMap map;
  std::vector<PlatformModel> models;
  /// Why the model is this one, where the most accurate of several was to be taken; else empty.
  std::string choice{};
  /// The most ranks of its held-out collectives; 0 where it has none.
  Rank most_held_out_ranks = 0;
  /// More ranks than cores on some node, by the mapping: a sentence; else empty.
  std::string oversubscribed{};
  /// The other of block and cyclic, where the job's is one of them.
  std::vector<OtherMapping> other_mappings{};
  /// Where the models and the map are from, as what_if changed it.
  Platform source{};
  /// Models that do not know a resource that what_if changes, where all were asked for, and why.
  std::map<std::string, std::string> left_out{};
};

/// Throws UsageError or Error.
[[nodiscard]] JobPlatform resolve_platform(const JobOptions& options);

/// The options on the machine that one --what-if asks about: its resources, its nodes and the ranks on them. Throws
/// UsageError where it cannot be read, or where -P, counts or a mapping file fix what it changes.
[[nodiscard]] JobOptions with_what_if(JobOptions options, const std::string& text);

/// Nodes of the platform's job that are beyond those measured; 0 where none is, or the parameters are given by hand.
[[nodiscard]] std::int32_t nodes_beyond_measured(const JobPlatform& platform);

/// The items of a list, each with why the model was chosen as "model_choice", where one of several was.
[[nodiscard]] Json with_choice(Json list, const JobPlatform& platform);

/// What predictions for the platform leave out, a sentence each: more ranks than cores, and intervals beyond what
/// held-out collectives were visited at.
[[nodiscard]] std::vector<std::string> limits_of(const JobPlatform& platform, Rank ranks);

[[nodiscard]] ExtrapolationLimit extrapolation_limit(const JobOptions& options);

/// Throws UsageError where every prediction was left out.
void check_any_left(const ExtrapolationLimit& limit, bool any_prediction);

/// Reads "radix=4" and the like; throws UsageError naming the one that cannot be read.
[[nodiscard]] ParameterValues parse_settings(const std::vector<std::string>& settings);

/// Reads --counts, if given: its blocks, and P. Throws UsageError as resolve_blocks does. The same of --schedule, which
/// also says the root and, where --size does not, the size.
void take_counts(JobOptions& options);

/// The collective asked for, by MPI's name; not of p2p.
[[nodiscard]] Collective collective_of(const JobOptions& options);

/// What its schedules are built for at one size, without an algorithm's parameters.
[[nodiscard]] ScheduleRequest request_of(const JobOptions& options, Bytes bytes);

/// Bytes of a message that the size stands for: the largest of uneven blocks.
[[nodiscard]] Bytes message_bytes(const JobOptions& options, Bytes bytes);

/// P, by default the platform's. Throws UsageError where neither is known.
[[nodiscard]] Rank resolve_ranks(const JobOptions& options, const JobPlatform& platform);

/// The sizes asked for; {0} for a barrier, and the sum of uneven blocks.
[[nodiscard]] std::vector<Bytes> resolve_sizes(const JobOptions& options);

/// A schedule that was asked for.
struct JobSchedule {
  std::string algorithm;
  Bytes segment = 0;
  Schedule schedule;
};

/// The schedules that the options ask for at one size: one algorithm, all that support P, or a node-aware composition.
[[nodiscard]] std::vector<JobSchedule> resolve_schedules(const JobOptions& options, const ChannelMap& map, Bytes bytes);

/// Throws UsageError where segments are asked for of an algorithm that has none.
void check_segments(const Algorithm& algorithm, Bytes segment);

/// The evaluator asked for; nothing for auto.
[[nodiscard]] std::optional<Evaluator> given_evaluator(const JobOptions& options);

/// The algorithms asked for; "all" leaves out those that do not support P.
[[nodiscard]] std::vector<const Algorithm*> resolve_algorithms(const JobOptions& options, Collective collective);

}  // namespace postage
