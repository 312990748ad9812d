#pragma once

#include "cli/options/counts.hpp"
#include "cli/options/mapping_options.hpp"

#include <postage/base/json.hpp>
#include <postage/base/options.hpp>
#include <postage/base/strides.hpp>
#include <postage/optimize/advice.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

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

/// --stride and --run.
void add_stride_options(Command& command, StrideOptions& options);

/// What is to be predicted, as typed: shared by predict, explain and compare.
struct JobOptions {
  std::string collective;
  std::string algorithm = "all";
  Rank ranks = 0;
  std::string sizes;
  Rank root = 0;
  std::string segment = "0";
  CountOptions counts;
  UnevenBlocks blocks;                ///< those of `counts`, once take_counts has read them
  std::vector<std::string> settings;  ///< NAME=VALUE of the algorithm's own parameters
  NodeAwareOptions node_aware;
  std::string evaluator = "auto";
  double max_extrapolation = 8;
  Rank source = 0;
  Rank target = 1;
  StrideOptions strides;
  std::string expression;  ///< of predict: a cost in tau-Lop's algebra
  std::string formulas;    ///< of predict: names of printed formulas, or all
  std::string trace;       ///< of predict: a file with a program's computing and messages
  std::string to_goal;     ///< of a trace: the file that it is written to in GOAL
  std::string to_smpi;     ///< of a recording: the file for SMPI's replay
  std::string model = "best";
  std::string platform;
  std::string parameters;
  std::string levels;  ///< of parameters given by hand
  MappingOptions mapping;
  bool json = false;
};

/// `needs_collective`: the command is about a collective or a message, and about nothing else.
void add_job_options(Command& command, JobOptions& options, bool needs_collective = true);

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
};

/// Throws UsageError or Error.
[[nodiscard]] JobPlatform resolve_platform(const JobOptions& options);

/// Says on standard error which model was chosen, where one of several was.
void print_choice(const JobPlatform& platform);

/// The same in each item of a list, as "model_choice".
[[nodiscard]] Json with_choice(Json list, const JobPlatform& platform);

/// Says on standard error what predictions for the platform leave out: more ranks than cores, and intervals beyond what
/// held-out collectives were visited at.
void print_limits(const JobPlatform& platform, Rank ranks);

[[nodiscard]] ExtrapolationLimit extrapolation_limit(const JobOptions& options);

/// Says on standard error which models were left out. Throws UsageError where no prediction is left.
void print_left_out(const ExtrapolationLimit& limit, bool any_prediction);

/// Reads "radix=4" and the like; throws UsageError naming the one that cannot be read.
[[nodiscard]] ParameterValues parse_settings(const std::vector<std::string>& settings);

/// Reads --counts, if given: its blocks, and P. Throws UsageError as resolve_blocks does.
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
