#include "cli/commands.hpp"
#include "cli/options/job.hpp"
#include "cli/tables/escalations.hpp"
#include "cli/tables/explain_errors.hpp"

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
                               Bytes bytes, const PlatformModel& model, const Prediction& prediction) {
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
                      .prediction = prediction};
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
    const bool is_faster = a.seconds < now;
    fmt::print("{:>10}  {:.2f} times {}: {}\n", format_seconds(a.seconds),
               is_faster ? now / a.seconds : a.seconds / now, is_faster ? "faster" : "as long, but cannot escalate",
               a.change);
  }
}

/// The explanation of one schedule under one model.
struct Explained {
  std::string model;
  Evaluator evaluator = Evaluator::kRounds;
  Prediction prediction;  ///< its seconds are those of the tree, but of flows
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
  Prediction prediction = predict(job.schedule, model, evaluator);
  std::vector<Advice> advice = advice_for(options, platform, job, bytes, model, prediction);
  return {model.name(), evaluator, std::move(prediction), std::move(tree), std::move(advice)};
}

Json to_json(const Explained& explained, const JobOptions& options, const JobSchedule& job, Bytes bytes) {
  Json json{{"collective", options.collective},
            {"algorithm", job.algorithm},
            {"segment", job.segment},
            {"P", job.schedule.ranks},
            {"bytes", bytes},
            {"model", explained.model},
            {"seconds", explained.prediction.seconds},
            {"lower", explained.prediction.lower},
            {"upper", explained.prediction.upper},
            {"bounds", name_of(explained.prediction.bounds)},
            {"evaluator", name_of(explained.evaluator)},
            {"explanation", to_json(explained.tree)},
            {"advice", to_json(explained.advice, explained.prediction.seconds)}};
  add_escalations(json, explained.prediction);
  return json;
}

void print(const Explained& explained, Bytes bytes) {
  fmt::print("{}, {}\n", explained.model, format_bytes(bytes));
  if (explained.evaluator == Evaluator::kFlows) {
    fmt::print("{} as flows; the tree below adds up rounds, in which messages share bandwidth evenly\n",
               format_seconds(explained.prediction.seconds));
  }
  fmt::print("{}", render(explained.tree));
  if (explained.prediction.may_escalate()) {
    fmt::print("! the tree is without escalations; it may escalate, to {}\n",
               describe_escalations(explained.prediction));
  }
  print_advice(explained.advice, explained.prediction.seconds);
  fmt::print("\n");
}

void run(JobOptions options, const std::vector<std::string>& samples) {
  take_counts(options);
  const JobPlatform platform = resolve_platform(options);
  if (!samples.empty()) {
    explain_errors(options, platform, samples);
    return;
  }
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
    fmt::print("{}\n", with_choice(std::move(list), platform).dump(1));
  } else {
    print_choice(platform);
  }
  print_limits(platform, options.ranks);
}

}  // namespace

void add_explain_command(Command& app) {
  Command command = app.subcommand("explain", "Show where the time of a prediction goes");
  const auto options = std::make_shared<JobOptions>();
  const auto samples = std::make_shared<std::vector<std::string>>();
  add_job_options(command, *options);
  command
      .option("--against", *samples,
              "Samples (postage measure --samples) in which the collective was timed: says instead which term of the "
              "model, which stage or which time that it does not know explains best what predictions miss by")
      .one_at_a_time();
  command.footer(
      "Examples:\n"
      "  postage explain bcast --algorithm binomial -P 8 -m 64K --model loggp --params L=5us,o=1us,g=2us,G=1ns\n"
      "  postage explain allreduce --algorithm ring --platform platform.json --against samples/");
  command.action([options, samples] { run(*options, *samples); });
}

}  // namespace postage
