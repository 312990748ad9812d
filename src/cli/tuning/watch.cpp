#include "cli/commands.hpp"
#include "cli/launching.hpp"
#include "cli/options/checking.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/tuning/watch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace postage {
namespace {

/// A run that deviates is followed by so many more.
constexpr int kMoreRuns = 2;

struct WatchOptions {
  LaunchOptions launch;
  std::string baseline;
  bool record = false;
  bool force = false;
  int runs = 9;
  double tolerance = 0.1;
  bool reframe = false;
  bool json = false;
};

SampleSet measure_once(const WatchOptions& options) {
  SampleSet samples = measure_with(options.launch, watch_experiments());
  if (samples.interrupted) {
    throw Interrupted("watching was interrupted; nothing is kept");
  }
  return samples;
}

void record(const WatchOptions& options) {
  check_output_file("--baseline", options.baseline);
  if (!options.force && std::filesystem::is_regular_file(options.baseline)) {
    throw UsageError(
        fmt::format("{} exists: name another file with --baseline, or replace it with --force", options.baseline));
  }
  Baseline baseline;
  for (int run = 0; run < options.runs; ++run) {
    baseline.runs.push_back(measure_once(options));
  }
  write_json(options.baseline, to_json(baseline));
  fmt::print("wrote {}: {} runs of {} ranks on {}\n", options.baseline, options.runs,
             baseline.runs.front().ranks.size(), baseline.runs.front().implementation);
}

/// The verdict, and the runs that it is made from.
struct Verdict {
  std::vector<LayerState> layers;
  std::size_t runs = 0;

  [[nodiscard]] bool is_slower() const {
    return std::any_of(layers.begin(), layers.end(), [](const LayerState& state) { return state.slower; });
  }
};

Verdict judge(const WatchOptions& options) {
  const Baseline baseline = read_baseline(options.baseline);
  const Watch watch(baseline, options.tolerance);
  std::vector<SampleSet> runs{measure_once(options)};
  if (runs.front().implementation != baseline.runs.front().implementation) {
    print_remark("postage: the baseline is of {}, and this is {}\n", baseline.runs.front().implementation,
                 runs.front().implementation);
  }
  std::vector<LayerState> layers = watch.compare(runs);
  if (is_suspicious(layers, options.tolerance)) {
    for (int more = 0; more < kMoreRuns; ++more) {
      runs.push_back(measure_once(options));
    }
    layers = watch.compare(runs);
  }
  return {std::move(layers), runs.size()};
}

std::string change_of(const LayerState& state) {
  if (state.layer == Layer::kPlacement) {
    return "differs";
  }
  return state.slower ? "slower" : state.faster ? "faster" : "-";
}

void print_table(const Verdict& verdict) {
  using Align = Table::Align;
  Table table({{"layer"},
               {"where"},
               {"now/then", Align::kRight},
               {"own spread", Align::kRight},
               {"experiments", Align::kRight},
               {""}});
  for (const LayerState& state : verdict.layers) {
    table.add_row({std::string(name_of(state.layer)), state.where, fmt::format("{:.3f}", state.factor),
                   percent(state.spread), std::to_string(state.experiments), change_of(state)});
  }
  fmt::print("{}", table.render(output_width()));
}

/// "latency inter-node", with placement first where ranks are elsewhere.
std::string sentence_of(const Verdict& verdict) {
  std::string slower;
  for (const LayerState& state : verdict.layers) {
    if (state.slower || (state.layer == Layer::kPlacement && verdict.is_slower())) {
      slower += fmt::format("{}{} ({})", slower.empty() ? "" : "; ", name_of(state.layer), state.where);
    }
  }
  const std::string by = fmt::format("by the medians of {} run{}", verdict.runs, verdict.runs == 1 ? "" : "s");
  return slower.empty() ? "as fast as the baseline, " + by : fmt::format("slower: {}; {}", slower, by);
}

/// A line for each layer that ReFrame's performance patterns find.
void print_for_reframe(const Verdict& verdict) {
  for (const LayerState& state : verdict.layers) {
    if (state.layer != Layer::kPlacement) {
      std::string name = fmt::format("{}_{}", name_of(state.layer), state.where);
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == ' ' || c == ',' || c == '-'; }, '_');
      fmt::print("{}: {:.4f} ratio\n", name, state.factor);
    }
  }
  fmt::print("verdict: {}\n", verdict.is_slower() ? "slower" : "ok");
}

CheckResult watch(const WatchOptions& options) {
  if (options.record) {
    record(options);
    return CheckResult::kClean;
  }
  if (options.tolerance <= 0) {
    throw UsageError("--tolerance is a share above 0, like 0.1");
  }
  const Verdict verdict = judge(options);
  if (options.json) {
    Json layers = Json::array();
    for (const LayerState& state : verdict.layers) {
      layers.push_back(to_json(state));
    }
    fmt::print("{}\n", Json{{"slower", verdict.is_slower()}, {"runs", verdict.runs}, {"layers", layers}}.dump(1));
  } else if (options.reframe) {
    print_for_reframe(verdict);
  } else {
    print_table(verdict);
    fmt::print("{}\n", sentence_of(verdict));
  }
  return verdict.is_slower() ? CheckResult::kFound : CheckResult::kClean;
}

}  // namespace

void add_watch_command(Command& app) {
  Command command = app.subcommand("watch", "Check whether an MPI is as fast as it was: for CI and after upgrades");
  const auto options = std::make_shared<WatchOptions>();
  command.option("--baseline", options->baseline, "Baseline file").required();
  command.flag("--record", options->record, "Measure and write the baseline instead of comparing with it");
  command.flag("--force", options->force, "Replace a baseline that exists");
  command.option("--runs", options->runs, "Runs of a new baseline").with_default().range(1, 100);
  command.option("--tolerance", options->tolerance, "How much slower, as a share, is no change").with_default();
  options->launch.measuring.budget = "5s";
  add_launch_options(command, options->launch);
  command.flag("--reframe", options->reframe, "Print one line a layer for ReFrame's performance patterns");
  command.flag("--json", options->json, "Print JSON");
  command.only_with({"--record"}, {"--runs", "--force"});
  command.not_with("--record", {"--tolerance", "--reframe", "--json"});
  command.not_with("--json", {"--reframe"});
  command.footer(
      "Exit status: 0 if nothing is slower, 1 if something is, 2 if it could not be checked.\n"
      "Examples:\n"
      "  postage watch --baseline well.json --record\n"
      "  postage watch --baseline well.json");
  command.action(checking([options] { return watch(*options); }));
}

}  // namespace postage
