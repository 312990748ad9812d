#include "cli/commands.hpp"
#include "cli/options/job.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/predict/explanation.hpp>
#include <postage/predict/message_schedule.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

std::vector<JobSchedule> schedules_of(const JobOptions& options, const ChannelMap& map, Bytes bytes) {
  if (options.collective != "p2p") {
    return resolve_schedules(options, map, bytes);
  }
  std::vector<JobSchedule> schedules;
  schedules.push_back(
      {"message", parse_bytes(options.segment), message_schedule(options.source, options.target, bytes)});
  return schedules;
}

/// Changes that make a collective faster, by prediction, with the segments that `postage compare` tries.
std::vector<Advice> advice_for(const JobOptions& options, const JobPlatform& platform, const JobSchedule& job,
                               Bytes bytes, const PlatformModel& model, Seconds seconds) {
  if (options.collective == "p2p" || options.node_aware.is_given()) {
    return {};
  }
  JobOptions all = options;
  all.algorithm = "all";
  const Collective collective = collective_of(options);
  ComparisonRequest request{.algorithms = resolve_algorithms(all, collective),
                            .job = request_of(options, bytes),
                            .segments = parse_sizes(kUsualSegments)};
  request.job.parameters = parse_settings(options.settings);
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
    fmt::print("predicted improvements:\n");
  }
  for (const Advice& a : advice) {
    fmt::print("{:>10}  {:.2f} times faster: {}\n", format_seconds(a.seconds), now / a.seconds, a.change);
  }
}

/// The explanation of one schedule under one model.
struct Explained {
  std::string model;
  Evaluator evaluator = Evaluator::kRounds;
  Seconds seconds = 0;
  Explanation tree;
  std::vector<Advice> advice;
};

Explained explain_job(const JobOptions& options, const JobPlatform& platform, const JobSchedule& job, Bytes bytes,
                      const PlatformModel& model) {
  const std::optional<Evaluator> given = given_evaluator(options);
  Evaluator evaluator = given ? *given : choose_evaluator(job.schedule, platform.map, model.model());
  if (evaluator == Evaluator::kFlows && options.collective == "p2p") {
    evaluator = Evaluator::kRounds;  // one message shares nothing
  }
  Explanation tree = evaluator == Evaluator::kTimeline
                         ? explain(job.schedule, platform.map, model.model(), model.channel_names())
                         : explain_rounds(job.schedule, platform.map, model.model(), model.channel_names());
  const Seconds seconds =
      evaluator == Evaluator::kFlows ? evaluate(evaluator, job.schedule, platform.map, model.model()) : tree.seconds;
  return {model.name(), evaluator, seconds, std::move(tree), advice_for(options, platform, job, bytes, model, seconds)};
}

Json to_json(const Explained& explained, const JobOptions& options, const JobSchedule& job, Bytes bytes) {
  return {{"collective", options.collective},
          {"algorithm", job.algorithm},
          {"segment", job.segment},
          {"P", job.schedule.ranks},
          {"bytes", bytes},
          {"model", explained.model},
          {"seconds", explained.seconds},
          {"evaluator", name_of(explained.evaluator)},
          {"explanation", to_json(explained.tree)},
          {"advice", to_json(explained.advice, explained.seconds)}};
}

void print(const Explained& explained, Bytes bytes) {
  fmt::print("{}, {}\n", explained.model, format_bytes(bytes));
  if (explained.evaluator == Evaluator::kFlows) {
    fmt::print("{} as flows; the tree below adds up rounds, in which messages share bandwidth evenly\n",
               format_seconds(explained.seconds));
  }
  fmt::print("{}", render(explained.tree));
  print_advice(explained.advice, explained.seconds);
  fmt::print("\n");
}

void run(JobOptions options) {
  take_counts(options);
  const JobPlatform platform = resolve_platform(options);
  options.ranks = resolve_ranks(options, platform);
  Json list = Json::array();
  const Bytes segment = options.collective == "p2p" ? parse_bytes(options.segment) : 0;
  for (const Bytes bytes : resolve_sizes(options)) {
    for (const JobSchedule& job : schedules_of(options, platform.map, bytes)) {
      for (const PlatformModel& whole : platform.models) {
        const PlatformModel model = segment > 0 ? whole.with_segments(segment) : whole;
        const Explained explained = explain_job(options, platform, job, bytes, model);
        if (options.json) {
          list.push_back(to_json(explained, options, job, bytes));
        } else {
          print(explained, bytes);
        }
      }
    }
  }
  if (options.json) {
    fmt::print("{}\n", list.dump(1));
  } else {
    print_choice(platform);
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
