#include "cli/optimize/subcommands.hpp"
#include "cli/optimize/tree_text.hpp"
#include "cli/options/job_options.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/report/schedule_text.hpp>
#include <postage/schedule/check/dataflow.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace postage {
namespace {

struct TreeCommand {
  JobCommand job;
  std::string method = "optimised";
  std::string output;
  std::string svg;
};

/// Those that are shown beside the one asked for.
std::vector<TreeMethod> methods_to_show(TreeMethod asked) {
  std::vector<TreeMethod> methods{TreeMethod::kFlat, TreeMethod::kBinomial, TreeMethod::kMappedBinomial,
                                  TreeMethod::kFormForEqualRanks, TreeMethod::kOptimised};
  if (std::ranges::find(methods, asked) == methods.end()) {
    methods.push_back(asked);
  }
  return methods;
}

void check(const CollectiveTree& tree) {
  if (const auto mistake = find_dataflow_mistake(schedule_along(tree), false)) {
    throw Error(fmt::format("the tree is wrong: {}", *mistake));
  }
}

void write(const TreeCommand& options, const CollectiveTree& tree, const JobPlatform& platform) {
  if (!options.svg.empty()) {
    const PlatformModel& model = platform.models.front();
    write_file(options.svg, draw_space_time(schedule_along(tree), [&](Rank source, Rank target) -> std::string {
                 return std::string(model.channel_names()[model.channels().channel_of(source, target)]);
               }));
    print_remark("postage: wrote {}\n", options.svg);
  }
  if (!options.output.empty()) {
    write_schedule_file(options.output, tree);
    print_remark("postage: wrote {}\n", options.output);
  }
}

void run(TreeCommand options) {
  JobCommand& job = options.job;
  const TreeMethod method = parse_tree_method(options.method);
  static_cast<void>(tree_directions(collective_of(job)));
  if (collective_of(job) == Collective::kAllgather && job.root != 0) {
    throw UsageError("an allgather has no root, and its trees get the best one: leave out --root");
  }
  check_output_file("-o", options.output);
  check_output_file("--svg", options.svg);
  if (!options.svg.empty() && options.svg == options.output) {
    throw UsageError(fmt::format("-o and --svg both name {}: give each a file of its own", options.svg));
  }
  take_counts(job);
  const JobPlatform platform = resolve_platform(job);
  if (platform.models.size() != 1) {
    throw UsageError("a tree is built by one model: give --model a single name, like lmo");
  }
  job.ranks = resolve_ranks(job, platform);
  const std::vector<Bytes> sizes = resolve_sizes(job);
  if (sizes.size() != 1) {
    throw UsageError("a tree is built for one size: give -m a single one");
  }
  const std::vector<TreeCandidate> candidates = tree_candidates(
      methods_to_show(method), collective_of(job), request_of(job, sizes.front()), platform.models.front());
  const CollectiveTree& chosen = std::ranges::find(candidates, method, &TreeCandidate::method)->tree;
  check(chosen);
  if (job.json) {
    fmt::print("{}\n", with_choice(candidates_json(candidates), platform).dump(1));
  } else {
    fmt::print("{}{}", candidates_text(candidates), tree_text(chosen));
    print_choice(platform);
  }
  write(options, chosen, platform);
}

}  // namespace

void add_optimize_tree(Command& optimize) {
  Command command = optimize.subcommand(
      "tree", "Build a tree for bcast, scatter(v), gather(v), reduce or allgather(v) from a model's parameters");
  const auto options = std::make_shared<TreeCommand>();
  JobCommand& job = options->job;
  command
      .option("collective", job.collective,
              "bcast, reduce, scatter, scatterv, gather, gatherv, allgather or allgatherv")
      .required();
  add_request_options(command, job);
  add_model_options(command, job);
  add_mapping_options(command, job.mapping);
  command
      .option("--method", options->method,
              "The tree to draw and write: flat, binomial, mapped-binomial and worst-binomial (Lastovetsky and "
              "Rychkov's choice of ranks), fastest-edge-first, fastest-node-first and earliest-edge-first (Bhat), "
              "widest-edge-last (Hatta), form-for-equal-ranks, optimised (where messages wait for others, improved by "
              "predicted times, up to 128 ranks), or exact (up to 16 ranks; where "
              "messages wait for others, as gaps and contention make them, up to 7, of an allgather 4)")
      .with_default();
  command.option("-o,--output", options->output, "Schedule file to write, which predict and measure take");
  command.option("--svg", options->svg, "SVG file to write: a space-time diagram");
  command.flag("--json", job.json, "Print JSON");
  command.footer(
      "Examples:\n"
      "  postage optimize tree scatterv --platform platform.json --counts counts.txt -o tree.json --svg tree.svg\n"
      "  postage optimize tree gather -m 16K --platform platform.json --model lmo --root 5\n"
      "  postage predict gather --schedule tree.json --platform platform.json");
  command.action([options] { run(*options); });
}

}  // namespace postage
