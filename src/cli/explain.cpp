#include "cli/commands.hpp"
#include "cli/job.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/explanation.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace postage {
namespace {

/// A single message as a schedule of one round, so that it is explained like any other.
Schedule message_schedule(const JobOptions& options, Bytes bytes) {
  Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "linear"), {.ranks = 2, .bytes = bytes});
  schedule.algorithm = "message";
  schedule.ranks = std::max(options.source, options.target) + 1;
  const LinearNumbering ends{options.source, options.target - options.source, schedule.ranks};
  for (Stage& stage : schedule.stages) {
    for (Round& round : stage.rounds) {
      for (Pattern& pattern : round.patterns) {
        pattern.numbering = ends;
      }
    }
  }
  return schedule;
}

std::vector<Schedule> schedules_of(const JobOptions& options, Bytes bytes) {
  if (options.collective == "p2p") {
    if (options.source == options.target || options.source < 0 || options.target < 0) {
      throw UsageError("--src and --dst must be two different ranks of at least 0");
    }
    return {message_schedule(options, bytes)};
  }
  std::vector<Schedule> schedules;
  for (const Algorithm* algorithm : resolve_algorithms(options, parse_collective(options.collective))) {
    schedules.push_back(resolve_schedule(options, *algorithm, bytes, parse_bytes(options.segment)));
  }
  return schedules;
}

void run(JobOptions options) {
  const JobPlatform platform = resolve_platform(options);
  options.ranks = resolve_ranks(options, platform);
  nlohmann::json list = nlohmann::json::array();
  for (const Bytes bytes : resolve_sizes(options)) {
    for (const Schedule& schedule : schedules_of(options, bytes)) {
      for (const ParameterTable& table : platform.tables) {
        const Model model = build_model(table, platform.channels);
        const bool plays = resolve_evaluator(options, schedule, model) == Evaluator::kTimeline;
        const Explanation explanation = plays ? explain(schedule, platform.map, model, platform.channels)
                                              : explain_rounds(schedule, platform.map, model, platform.channels);
        if (options.json) {
          list.push_back({{"collective", options.collective},
                          {"algorithm", schedule.algorithm},
                          {"P", schedule.ranks},
                          {"bytes", bytes},
                          {"model", table.model},
                          {"explanation", to_json(explanation)}});
        } else {
          fmt::print("{}, {}\n{}\n", table.model, format_bytes(bytes), render(explanation));
        }
      }
    }
  }
  if (options.json) {
    fmt::print("{}\n", list.dump(1));
  }
}

}  // namespace

void add_explain_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("explain", "Show where the time of a prediction goes");
  const auto options = std::make_shared<JobOptions>();
  add_job_options(*command, *options);
  command->footer(
      "Example:\n"
      "  postage explain bcast --algorithm binomial -P 8 -m 64K --model loggp --params L=5us,o=1us,g=2us,G=1ns");
  command->callback([options] { run(*options); });
}

}  // namespace postage
