#include "cli/commands.hpp"
#include "cli/job.hpp"
#include "cli/model_choice.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/predict/explanation.hpp>

#include <fmt/format.h>

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

std::vector<JobSchedule> schedules_of(const JobOptions& options, const ChannelMap& map, Bytes bytes) {
  if (options.collective != "p2p") {
    return resolve_schedules(options, map, bytes);
  }
  if (options.source == options.target || options.source < 0 || options.target < 0) {
    throw UsageError("--src and --dst must be two different ranks of at least 0");
  }
  std::vector<JobSchedule> schedules;
  schedules.push_back({"message", 0, message_schedule(options, bytes)});
  return schedules;
}

/// What would make a collective faster, with the segments that `postage compare` tries.
std::vector<Advice> advice_for(const JobOptions& options, const JobPlatform& platform, const JobSchedule& job,
                               Bytes bytes, const PlatformModel& model, Seconds seconds) {
  if (options.collective == "p2p" || !options.within.empty()) {
    return {};
  }
  JobOptions all = options;
  all.algorithm = "all";
  const Collective collective = parse_collective(options.collective);
  const ComparisonRequest request{.algorithms = resolve_algorithms(all, collective),
                                  .job = {.ranks = options.ranks,
                                          .root = options.root,
                                          .bytes = bytes,
                                          .parameters = parse_settings(options.settings)},
                                  .segments = parse_sizes(kUsualSegments)};
  const Candidate now{.algorithm = &find_algorithm(collective, job.algorithm),
                      .segment = job.segment < bytes ? job.segment : 0,
                      .prediction = {seconds, seconds, seconds}};
  return advise(request, now, model, platform.other_mappings);
}

Json to_json(const std::vector<Advice>& advice, Seconds now) {
  Json list = Json::array();
  for (const Advice& a : advice) {
    list.push_back({{"change", a.change}, {"seconds", a.seconds}, {"times_faster", now / a.seconds}});
  }
  return list;
}

void print_advice(const std::vector<Advice>& advice, Seconds now) {
  if (!advice.empty()) {
    fmt::print("what would help, as predicted:\n");
  }
  for (const Advice& a : advice) {
    fmt::print("{:>10}  {:.2f} times faster: {}\n", format_seconds(a.seconds), now / a.seconds, a.change);
  }
}

void run(JobOptions options) {
  const JobPlatform platform = resolve_platform(options);
  options.ranks = resolve_ranks(options, platform);
  Json list = Json::array();
  for (const Bytes bytes : resolve_sizes(options)) {
    for (const JobSchedule& job : schedules_of(options, platform.map, bytes)) {
      for (const PlatformModel& built : platform.models) {
        const Model& model = built.model();
        const Evaluator evaluator = resolve_evaluator(options, job.schedule, platform.map, model);
        const bool plays = evaluator == Evaluator::kTimeline;
        const Explanation explanation = plays
                                            ? explain(job.schedule, platform.map, model, built.channel_names())
                                            : explain_rounds(job.schedule, platform.map, model, built.channel_names());
        const bool flows = evaluator == Evaluator::kFlows && options.collective != "p2p";  // nothing to share alone
        const Seconds seconds = flows ? evaluate(evaluator, job.schedule, platform.map, model) : explanation.seconds;
        const std::vector<Advice> advice = advice_for(options, platform, job, bytes, built, seconds);
        if (options.json) {
          list.push_back({{"collective", options.collective},
                          {"algorithm", job.algorithm},
                          {"segment", job.segment},
                          {"P", job.schedule.ranks},
                          {"bytes", bytes},
                          {"model", built.name()},
                          {"seconds", seconds},
                          {"evaluator", name_of(flows || plays ? evaluator : Evaluator::kRounds)},
                          {"explanation", to_json(explanation)},
                          {"advice", to_json(advice, seconds)}});
        } else {
          fmt::print("{}, {}\n", built.name(), format_bytes(bytes));
          if (flows) {
            fmt::print("{} as flows; the tree below sums up rounds instead, whose messages share evenly\n",
                       format_seconds(seconds));
          }
          fmt::print("{}", render(explanation));
          print_advice(advice, seconds);
          fmt::print("\n");
        }
      }
    }
  }
  if (options.json) {
    fmt::print("{}\n", list.dump(1));
  } else {
    tell_choice(platform);
  }
}

}  // namespace

void add_explain_command(Command& app) {
  Command command = app.subcommand("explain", "Show where the time of a prediction goes");
  const auto options = std::make_shared<JobOptions>();
  add_job_options(command, *options);
  command.footer(
      "Example:\n"
      "  postage explain bcast --algorithm binomial -P 8 -m 64K --model loggp --params L=5us,o=1us,g=2us,G=1ns");
  command.action([options] { run(*options); });
}

}  // namespace postage
