#include "cli/commands.hpp"
#include "cli/options/job_options.hpp"
#include "cli/tables/explain_errors.hpp"
#include "cli/tables/resource_table.hpp"

#include <postage/base/error.hpp>
#include <postage/job/escalations.hpp>
#include <postage/job/explanations.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

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

void print(const Explained& explained) {
  fmt::print("{}, {}\n", explained.model, format_bytes(explained.bytes));
  if (explained.evaluator == Evaluator::kFlows || explained.evaluator == Evaluator::kPortions) {
    fmt::print("{} as {}; the tree below adds up rounds, in which messages share bandwidth evenly\n",
               format_seconds(explained.prediction.seconds), name_of(explained.evaluator));
  }
  fmt::print("{}", render(with_alike_rounds_once(explained.tree)));
  if (explained.prediction.may_escalate()) {
    fmt::print("! the tree is without escalations; it may escalate, to {}\n",
               describe_escalations(explained.prediction));
  }
  print_advice(explained.advice, explained.prediction.seconds);
  print_gains(explained.gains, explained.prediction.seconds);
  fmt::print("\n");
}

/// On the platform as it is, or as --what-if changes it.
void explain_all(JobCommand options, const JobPlatform& platform, Json& list) {
  options.ranks = resolve_ranks(options, platform);
  print_left_out(platform.left_out);
  for (const Explained& explained : explain_job(options, platform)) {
    if (options.json) {
      list.push_back(to_json(explained, options.collective));
    } else {
      print(explained);
    }
  }
}

void run(JobCommand options, const std::vector<std::string>& samples) {
  take_counts(options);
  const JobPlatform platform = resolve_platform(options);
  if (!samples.empty()) {
    explain_errors(options, platform, samples);
    return;
  }
  Json list = Json::array();
  explain_all(options, platform, list);
  for (const std::string& text : options.what_ifs) {
    JobCommand other = options;
    static_cast<JobOptions&>(other) = with_what_if(static_cast<const JobOptions&>(options), text);
    const JobPlatform other_platform = resolve_platform(other);
    if (!options.json) {
      print_what_if(text, nodes_beyond_measured(other_platform));
    }
    explain_all(other, other_platform, list);
  }
  if (options.json) {
    fmt::print("{}\n", with_choice(std::move(list), platform).dump(1));
  } else {
    print_choice(platform);
  }
  print_limits(options, platform);
}

}  // namespace

void add_explain_command(Command& app) {
  Command command = app.subcommand("explain", "Show where the time of a prediction goes");
  const auto options = std::make_shared<JobCommand>();
  const auto samples = std::make_shared<std::vector<std::string>>();
  add_job_options(command, *options, JobUse::kExplain);
  add_what_if_option(command, *options);
  command
      .option("--against", *samples,
              "Samples (postage measure --samples) in which the collective was timed: says instead which term of the "
              "model, which stage or which time that it does not know explains best what predictions miss by")
      .one_at_a_time();
  command.not_with("--against", {"--ranks", "--size", "--counts", "--root", "--set", "--stride", "--by-hand",
                                 "--segment", "--calls", "--within", "--among", "--src", "--dst", "--what-if"});
  command.footer(
      "Examples:\n"
      "  postage explain bcast --algorithm binomial -P 8 -m 64K --model loggp --params L=5us,o=1us,g=2us,G=1ns\n"
      "  postage explain bcast --algorithm binomial --platform cluster.json -m 1M --what-if inter-node.bandwidth=x2\n"
      "  postage explain allreduce --algorithm ring --platform platform.json --against samples/");
  command.action([options, samples] { run(*options, *samples); });
}

}  // namespace postage
