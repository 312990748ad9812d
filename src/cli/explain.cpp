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
    schedules.push_back(build_schedule(
        *algorithm,
        {.ranks = options.ranks, .root = options.root, .bytes = bytes, .segment_bytes = parse_bytes(options.segment)}));
  }
  return schedules;
}

void run(JobOptions options) {
  const JobPlatform platform = resolve_platform(options);
  if (options.ranks == 0 && !platform.map.is_single()) {
    options.ranks = static_cast<Rank>(platform.map.mapping().capacity());
  } else if (options.ranks == 0 && options.collective != "p2p") {
    throw UsageError("no number of ranks: give -P N");
  }
  if (options.sizes.empty() && options.collective != "barrier") {
    throw UsageError("no size: give -m SIZE, like -m 64K");
  }
  nlohmann::json list = nlohmann::json::array();
  for (const Bytes bytes : options.sizes.empty() ? std::vector<Bytes>{0} : parse_sizes(options.sizes)) {
    for (const Schedule& schedule : schedules_of(options, bytes)) {
      for (const ParameterTable& table : platform.tables) {
        const Explanation explanation =
            explain(schedule, platform.map, build_model(table, platform.channels), platform.channels);
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
