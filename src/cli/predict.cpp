#include "cli/commands.hpp"
#include "cli/expressions.hpp"
#include "cli/formulas.hpp"
#include "cli/options/job_options.hpp"
#include "cli/tables/prediction_rows.hpp"
#include "cli/traces/predict_trace.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/job/predictions.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

void run(JobCommand options) {
  if (!options.trace.empty()) {
    predict_trace(options);
    return;
  }
  if (options.collective.empty()) {
    throw UsageError("what is to be predicted is missing: a collective like bcast, p2p, or --trace FILE");
  }
  if (!options.expression.empty() && options.collective != "p2p") {
    throw UsageError("--expression says itself what is sent: give it with p2p");
  }
  const bool is_printed = !options.formulas.empty() || !options.expression.empty();
  if (is_printed && options.model == "best" && options.parameters.empty()) {
    options.model = "all";  // each formula takes its own, an expression tau-Lop
  }
  take_counts(options);
  const JobPlatform platform = resolve_platform(options);
  const JobOptions given = static_cast<const JobOptions&>(options);
  options.ranks = resolve_ranks(options, platform);
  if (!options.formulas.empty()) {
    predict_formulas(options, platform);
    return;
  }
  if (!options.expression.empty()) {
    evaluate_expression(options, platform);
    return;
  }
  PredictionRows predicted = predict_job(options, platform);
  for (const std::string& text : options.what_ifs) {
    add_what_if(given, text, predicted);
  }
  const auto& [rows, left_out] = predicted;
  print_left_out(left_out);
  if (options.json) {
    fmt::print("{}\n", with_choice(to_json(rows), platform).dump(1));
  } else {
    print_rows(rows);
    print_choice(platform);
  }
  print_limits(options, platform);
}

/// What a trace, a printed formula or an expression says itself.
void refuse_ignored(Command& command) {
  command.only_with({"--trace"}, {"--to-goal", "--to-smpi"});
  command.not_with(
      "--trace",
      {"collective",          "--algorithm", "--ranks",   "--size",      "--counts", "--root", "--set", "--stride",
       "--by-hand",           "--segment",   "--calls",   "--within",    "--among",  "--src",  "--dst", "--evaluator",
       "--max-extrapolation", "--schedule",  "--formula", "--expression"});
  command.not_with("--formula", {"algorithm", "--calls", "--algorithm", "--counts", "--within", "--among", "--schedule",
                                 "--expression", "--what-if"});
  command.not_with("--expression", {"algorithm", "--algorithm", "--ranks", "--size", "--counts", "--root", "--set",
                                    "--stride", "--by-hand", "--segment", "--calls", "--within", "--among", "--src",
                                    "--dst", "--evaluator", "--max-extrapolation", "--schedule", "--what-if"});
}

}  // namespace

void add_predict_command(Command& app) {
  Command command = app.subcommand("predict", "Predict the time of a collective or of a message");
  const auto options = std::make_shared<JobCommand>();
  add_job_options(command, *options, JobUse::kPredict);
  add_what_if_option(command, *options);
  command.option("--schedule", options->schedule,
                 "Instead of an algorithm: a schedule file, as postage optimize tree writes it");
  command.option("--formula", options->formulas,
                 "Printed formulas to evaluate beside the prediction of what they describe: names like "
                 "rico-gallego-eq1 with commas between, or all; postage models --formulas lists them");
  command.option("--expression", options->expression,
                 "With p2p and --model taulop: a cost in tau-Lop's algebra, like '32 || (o(8K) + 2 L(8K,1))'; L1 and "
                 "L[inter-node] are of other channels, T(8K) is a whole message, max{x, y} the longer one");
  command.option(
      "--trace", options->trace,
      "Instead of a collective: a program's computing and messages, in GOAL or as the preload library records "
      "them (POSTAGE_TRACE=FILE), played on the platform and mapping");
  command.option("--to-goal", options->to_goal, "Of --trace: write it to this file in GOAL, the language of LogGOPSim");
  command.option("--to-smpi", options->to_smpi,
                 "Of a recorded --trace: write it as a time-independent trace, which smpirun -replay plays: a file for "
                 "each rank in FILE_files, and this file, which names them");
  refuse_ignored(command);
  command.footer(
      "Examples:\n"
      "  postage predict bcast --platform platform.json -m 1K:1M:x4\n"
      "  postage predict bcast binomial -P 64 -m 64K --model loggp --params L=5us,o=1us,g=2us,G=1ns\n"
      "  postage predict p2p --src 0 --dst 1 -m 64K --platform platform.json\n"
      "  postage predict allreduce -m 1M --platform cluster.json --what-if inter-node.bandwidth=x2 --what-if "
      "nodes=512\n"
      "  postage predict gatherv --schedule tree.json --platform cluster.json\n"
      "  postage predict --trace app.goal --platform cluster.json --nodes 16 --per-node 8\n"
      "  postage predict p2p --expression '32 || T(8K)' --model taulop --params o=0,L=2us,n=2\n"
      "  postage predict alltoallv --counts matrix.txt --element 8 --model hockney --params alpha=5us,beta=1ns\n"
      "  postage predict scatter --formula rico-gallego-eq1 -P 32 -m 8K --model taulop --params "
      "o=0,L=2us,n=2,S=8K");
  command.action([options] { run(*options); });
}

}  // namespace postage
