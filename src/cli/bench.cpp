#include "cli/preload/bench.hpp"

#include "cli/commands.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/bench/messages.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace postage {
namespace {

constexpr const char* kBegin = "<!-- measured by postage bench -->\n";
constexpr const char* kEnd = "<!-- end of what was measured -->\n";

struct BenchOptions {
  std::vector<std::string> experiments;
  std::string sizes;
  std::vector<Bytes> computations;
  int repetitions = MessageBenchPlan{}.repetitions;
  int ranks = MessageBenchPlan{}.ranks;
  std::string pairs;
  std::string seconds = "30ms";
  std::string output;
  std::string images;
  std::string into;
  bool cache_misses = false;
  bool preload = false;
  std::string mpi;
  bool json = false;
};

MessageBenchPlan plan_of(const BenchOptions& options) {
  MessageBenchPlan plan{.experiments = options.experiments,
                        .computations = options.computations,
                        .repetitions = options.repetitions,
                        .ranks = options.ranks,
                        .pairs = options.pairs,
                        .seconds = parse_seconds(options.seconds),
                        .cache_misses = options.cache_misses};
  if (plan.seconds <= 0) {
    throw UsageError(fmt::format("--seconds {}: give a time above 0, like 30ms", options.seconds));
  }
  if (!options.sizes.empty()) {
    plan.sizes = parse_sizes(options.sizes);
  }
  return plan;
}

/// Puts the tables between the two marks of a document.
std::string replace_measured(const std::string& document, const std::string& tables, const std::string& path) {
  const std::size_t begin = document.find(kBegin);
  const std::size_t end = document.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    throw UsageError(fmt::format("{} lacks the lines '{}' and '{}' that enclose the tables", path,
                                 std::string(kBegin, 34), std::string(kEnd, 33)));
  }
  return document.substr(0, begin) + kBegin + "\n" + tables + document.substr(end);
}

void run(const BenchOptions& options) {
  check_output_file("--output", options.output);
  if (options.preload) {
    PreloadBenchPlan plan{.mpi = options.mpi, .ranks = options.ranks};
    if (!options.sizes.empty()) {
      plan.set_sizes(parse_sizes(options.sizes));
    }
    bench_preload(plan, options.output, options.json);
    return;
  }
  check_output_folder("--images", options.images);
  check_output_file("--into", options.into);
  const std::string document = options.into.empty() ? "" : read_file(options.into);
  if (!options.into.empty()) {
    static_cast<void>(replace_measured(document, "", options.into));
  }
  const MessageBench bench =
      run_message_bench(plan_of(options), [](const std::string& text) { print_remark("{}\n", text); });
  const std::string tables = markdown_of(bench);
  if (!options.output.empty()) {
    write_json(options.output, to_json(bench));
  }
  if (!options.images.empty()) {
    for (const auto& [name, drawing] : drawings_of(bench)) {
      write_file(std::filesystem::path(options.images) / name, drawing);
    }
  }
  if (!options.into.empty()) {
    write_file(options.into, replace_measured(document, tables, options.into));
  }
  if (options.json) {
    fmt::print("{}\n", to_json(bench).dump(1));
  } else {
    fmt::print("{}", tables);
  }
}

}  // namespace

void add_bench_command(Command& app) {
  Command command = app.subcommand(
      "bench", "Compare messages inside this node: shared memory of postage, the MPIs found, hardware limits");
  const auto options = std::make_shared<BenchOptions>();
  command
      .option("--experiment", options->experiments,
              "latency, latency-rewritten, bandwidth, bandwidth-no-reuse, bandwidth-distinct-buffers, skew, alltoall, "
              "allgather or "
              "allreduce; may be repeated; by default all")
      .one_at_a_time();
  command.option("--sizes", options->sizes,
                 "Message sizes, like 8,1K,64K or 8:4M:x2; of --preload its ends, powers of two");
  command
      .option("--computations", options->computations,
              "Computing times of the receiver in experiment skew, in microseconds")
      .comma_separated()
      .range(0, 1000000);
  command.option("--repetitions", options->repetitions, "Repetitions, in each of which every program runs once")
      .with_default()
      .range(1, 1000);
  command.option("-n,--ranks", options->ranks, "2, or more for several pairs").with_default().range(1, 512);
  command.option(
      "--pairs", options->pairs,
      "All pairs of cores at one locality level at once, each bound: shared-cache, intra-socket or inter-socket");
  command.option("--seconds", options->seconds, "Time for each experiment and size in a repetition").with_default();
  command.option("-o,--output", options->output, "JSON file for every repetition's times");
  command.option("--images", options->images, "Folder for drawings");
  command.option("--into", options->into, "Document whose measured part to write anew, like docs/shared-memory.md");
  command.flag("--cache-misses", options->cache_misses, "Also simulate cache misses, with valgrind");
  command.flag("--preload", options->preload,
               "Time every blocking collective with and without the preload library instead, for about ten seconds");
  command.option("--mpi", options->mpi, "Of --preload: openmpi or mpich; by default the first one found");
  command.flag("--json", options->json, "Print every repetition's times as JSON");
  command.not_with("--pairs", {"--ranks"});
  command.only_with({"--preload"}, {"--mpi"});
  command.not_with("--preload", {"--experiment", "--computations", "--repetitions", "--pairs", "--seconds", "--images",
                                 "--into", "--cache-misses"});
  command.footer(
      "Examples:\n"
      "  postage bench\n"
      "  postage bench --experiment skew --repetitions 15\n"
      "  postage bench --experiment latency --sizes 8,1K --json\n"
      "  postage bench --preload -o gains.json");
  command.action([options] { run(*options); });
}

}  // namespace postage
