#pragma once

#include <postage/base/options.hpp>
#include <postage/job/job.hpp>
#include <postage/job/predictions.hpp>

namespace postage {

/// What predict, explain and compare read from a command line.
struct JobCommand : JobOptions {
  std::string expression{};             ///< of predict: a cost in tau-Lop's algebra
  std::string formulas{};               ///< of predict: names of printed formulas, or all
  std::string trace{};                  ///< of predict: a file with a program's computing and messages
  std::string to_goal{};                ///< of a trace: the file that it is written to in GOAL
  std::string to_smpi{};                ///< of a recording: the file for SMPI's replay
  std::vector<std::string> what_ifs{};  ///< of predict and explain: changes of the platform
  bool json = false;
};

/// --counts and --element.
void add_count_options(Command& command, CountOptions& options);

/// --nodes, --per-node and --mapping.
void add_mapping_options(Command& command, MappingOptions& options);

/// --within and --among.
void add_node_aware_options(Command& command, NodeAwareOptions& options);

/// --stride and --run.
void add_stride_options(Command& command, StrideOptions& options);

/// The command that reads a job: what it does not use is no option of it.
enum class JobUse { kPredict, kExplain, kCompare };
void add_job_options(Command& command, JobCommand& options, JobUse use);

/// --what-if, of commands that predict.
void add_what_if_option(Command& command, JobCommand& options);

/// An algorithm by position or by option, one of the two.
void add_algorithm_options(Command& command, std::string& algorithm, const std::string& meaning);

/// Of the above: ranks, sizes, counts and root of a collective.
void add_request_options(Command& command, JobOptions& options);
/// Of the above: --model, --platform or --params, and --levels.
void add_model_options(Command& command, JobOptions& options);

/// Says on standard error which model was chosen, where one of several was.
void print_choice(const JobPlatform& platform);

/// Says on standard error what predictions for the platform leave out (limits_of).
void print_limits(const JobOptions& options, const JobPlatform& platform);

/// Says on standard error which models were left out.
void print_left_out(const LeftOutModels& left_out);

}  // namespace postage
