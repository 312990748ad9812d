#include "cli/commands.hpp"
#include "cli/launching.hpp"
#include "cli/suite.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/validate/validation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

namespace postage {
namespace {

struct Options {
  LaunchOptions launch;
  std::string platform;
  std::string output = "validation.json";
  std::string sizes;
  std::vector<std::string> collectives;
  bool details = false;
  bool json = false;
  std::string suite;
  std::vector<std::string> suite_platforms;
  std::string keep;
  std::string page;
  std::vector<std::string> earlier;
};

/// Between the powers of two that measure uses by default, so that no model was fitted to them.
constexpr const char* kHeldOutSizes = "3:3M:x2";
constexpr const char* kHeldOutVirtualSizes = "3:768K:x8";

/// Every algorithm that the number of ranks allows, at a small, a middle and a large size, whole and in segments.
std::vector<std::string> default_collectives(Rank ranks) {
  std::vector<std::string> runs;
  for (const Algorithm& algorithm : algorithms()) {
    const bool is_timed = algorithm.collective == Collective::kBarrier || algorithm.collective == Collective::kBcast;
    if (!is_timed || !can_do(algorithm, ranks)) {
      continue;
    }
    if (algorithm.collective == Collective::kBarrier) {
      runs.push_back(fmt::format("barrier:{}:0", algorithm.name));
      continue;
    }
    for (const Bytes bytes : {Bytes{12}, Bytes{3} << 10, Bytes{96} << 10, Bytes{768} << 10}) {
      runs.push_back(format_collective_run({algorithm.collective, std::string(algorithm.name), bytes}));
      if (algorithm.segmentable && bytes >= (Bytes{96} << 10)) {
        runs.push_back(format_collective_run({algorithm.collective, std::string(algorithm.name), bytes, bytes / 12}));
      }
    }
  }
  return runs;
}

/// Two of the sizes that the platform was measured at, a small and a large one: is the machine still what it was?
std::string control_sizes(const Platform& platform) {
  std::set<std::string> sizes;
  for (const double wanted : {1024.0, 262144.0}) {
    const auto away = [&](const MeasuredPoint& point) {
      return std::abs(std::log(std::max(static_cast<double>(point.bytes), 0.5) / wanted));
    };
    const auto nearest =
        std::min_element(platform.points.begin(), platform.points.end(),
                         [&](const MeasuredPoint& a, const MeasuredPoint& b) { return away(a) < away(b); });
    if (nearest != platform.points.end()) {
      sizes.insert(std::to_string(nearest->bytes));
    }
  }
  return sizes.empty() ? "none" : fmt::format("{}", fmt::join(sizes, ","));
}

/// Says where messages take another time now than when the platform was measured, by more than their noise.
void warn_if_changed(const SampleSet& samples, const Platform& platform) {
  for (const Control& control : samples.controls) {
    const Experiment& e = control.experiment;
    for (const MeasuredPoint& point : platform.points) {
      const bool same =
          point.bytes == e.bytes && std::minmax(point.source, point.target) == std::minmax(e.source, e.target);
      const Summary then{.median = 2 * point.one_way.value,
                         .median_interval = {2 * point.one_way.lower, 2 * point.one_way.upper}};
      if (same && has_changed(then, control.before, samples.settings.precision)) {
        fmt::print(stderr,
                   "postage: warning: a {} of {} took {} when the platform was measured and takes {} now ({:+.0f} %); "
                   "errors below hold that change too\n",
                   describe(e), format_bytes(e.bytes), format_seconds(then.median),
                   format_seconds(control.before.median), 100 * (control.before.median / then.median - 1));
      }
    }
  }
}

/// Held-out means held out: a size that the platform's points have would validate a fit on its own data.
void check_held_out(const std::string& sizes, const Platform& platform) {
  std::set<Bytes> fitted;
  for (const MeasuredPoint& point : platform.points) {
    fitted.insert(point.bytes);
  }
  for (const Bytes bytes : parse_sizes(sizes)) {
    if (fitted.count(bytes) > 0) {
      throw UsageError(
          fmt::format("--sizes holds {}, to which the platform's parameters were fitted; take others, like {}",
                      format_bytes(bytes), kHeldOutSizes));
    }
  }
}

std::vector<std::string> experiments_of(const Options& options, const Platform& platform) {
  const std::string sizes = !options.sizes.empty()                ? options.sizes
                            : options.launch.virtual_name.empty() ? kHeldOutSizes
                                                                  : kHeldOutVirtualSizes;
  if (sizes != "none") {
    check_held_out(sizes, platform);
  }
  std::vector<std::string> words{"--sizes",          sizes,  "--train-sizes",   "none",
                                 "--overhead-sizes", "none", "--control-sizes", control_sizes(platform)};
  const std::vector<std::string> runs =
      options.collectives.empty() ? default_collectives(static_cast<Rank>(platform.ranks.size())) : options.collectives;
  for (const std::string& run : runs) {
    if (run != "none") {
      static_cast<void>(parse_collective_run(run));
      words.insert(words.end(), {"--collective", run});
    }
  }
  return words;
}

ValidationRow measured_row(const Measurement& m, double factor) {
  const Experiment& e = m.experiment;
  const bool is_message = e.kind == ExperimentKind::kRoundtrip;
  return {.collective = is_message ? "p2p" : e.collective,
          .algorithm = e.algorithm,
          .ranks = is_message ? 2 : e.ranks,
          .bytes = e.bytes,
          .segment = e.segment_bytes,
          .root = e.root,
          .source = e.source,
          .target = e.target,
          .measured = m.summary.median * factor,
          .measured_lower = m.summary.median_interval.lower * factor,
          .measured_upper = m.summary.median_interval.upper * factor,
          .repetitions = m.summary.count,
          .precise = m.precise};
}

Prediction predict_row(const ValidationRow& row, const PlatformModel& model) {
  if (row.collective == "p2p") {
    return predict_message(row.source, row.target, row.bytes, model);
  }
  const CollectiveRun run{parse_collective(row.collective), row.algorithm, row.bytes, row.segment, row.root};
  return predict(schedule_of(run, row.ranks), model, std::nullopt, Effort::kThorough);
}

Validation validate(const SampleSet& samples, const Platform& platform) {
  Validation validation{platform.name, samples.implementation, samples.is_virtual};
  const ChannelMap map(platform, Mapping::explicit_placements(samples.ranks));
  std::vector<PlatformModel> models;
  for (const ParameterTable& table : platform.models) {
    models.emplace_back(table, platform.channels, map);
  }
  for (const Measurement& m : samples.measurements) {
    ValidationRow row = measured_row(m, m.experiment.kind == ExperimentKind::kRoundtrip ? 0.5 : 1.0);
    for (const PlatformModel& model : models) {
      const Prediction prediction = predict_row(row, model);
      row.model = model.name();
      row.predicted = prediction.seconds;
      row.lower = prediction.lower;
      row.upper = prediction.upper;
      validation.rows.push_back(row);
    }
  }
  return validation;
}

/// By model, or every algorithm of every collective.
void print_errors(const Validation& validation, bool details) {
  using Align = Table::Align;
  std::vector<Table::Column> columns{{"model"}};
  if (details) {
    columns.insert(columns.end(), {{"collective"}, {"algorithm"}});
  }
  columns.insert(columns.end(), {{"rows", Align::kRight},
                                 {"median error", Align::kRight},
                                 {"95 %", Align::kRight},
                                 {"worst", Align::kRight},
                                 {"within 10 %", Align::kRight},
                                 {"bias", Align::kRight}});
  Table table(std::move(columns));
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  for (const ErrorSummary& s :
       summarise_errors(validation.rows, details ? SummaryScope::kAlgorithm : SummaryScope::kModel)) {
    std::vector<std::string> cells{s.model};
    if (details) {
      cells.insert(cells.end(), {s.collective, s.algorithm.empty() ? "-" : s.algorithm});
    }
    cells.insert(cells.end(), {std::to_string(s.errors.count), percent(s.errors.median), percent(s.errors.percentile95),
                               percent(s.errors.maximum), percent(s.errors.within_tenth),
                               fmt::format("{:+.1f} %", 100 * s.errors.bias)});
    table.add_row(std::move(cells));
  }
  fmt::print("{}: {}, predictions against measurements that nothing was fitted to\n{}", validation.platform,
             validation.implementation, table.render(output_width()));
}

/// The output's default is that of the suite's.
void run_suite(const Options& options) {
  SuiteOptions suite{.scale = options.suite == "quick" ? SuiteScale::kQuick : SuiteScale::kFull,
                     .platforms = options.suite_platforms,
                     .keep = options.keep,
                     .page = options.page,
                     .earlier = options.earlier,
                     .json = options.json};
  if (options.output != Options().output) {
    suite.output = options.output;
  }
  run_suite(suite);
}

void run(const Options& options) {
  if (!options.suite.empty()) {
    run_suite(options);
    return;
  }
  if (options.platform.empty()) {
    throw UsageError("--platform FILE names the platform to validate; --suite needs none");
  }
  const Platform platform = read_platform(options.platform);
  LaunchOptions launch = options.launch;
  if (launch.ranks == 0) {
    launch.ranks = static_cast<int>(platform.ranks.size());
  }
  if (launch.shm) {
    // The channel takes its thresholds from there.
    setenv("POSTAGE_PLATFORM", std::filesystem::absolute(options.platform).c_str(), 1);
  }
  const SampleSet samples = measure_with(launch, experiments_of(options, platform));
  if (samples.interrupted) {
    throw Interrupted("validating was interrupted; nothing is kept");
  }
  print_remarks(samples);
  warn_if_changed(samples, platform);
  if (samples.ranks.size() > platform.ranks.size()) {
    throw Error(fmt::format("{} knows {} ranks, but the validation ran on {}; measure the platform with -n {}",
                            options.platform, platform.ranks.size(), samples.ranks.size(), samples.ranks.size()));
  }
  const Validation validation = validate(samples, platform);
  write_json(options.output, to_json(validation));
  if (options.json) {
    fmt::print("{}\n", to_json(validation).dump(1));
  } else {
    print_errors(validation, options.details);
    fmt::print("wrote {}{}\n", options.output,
               options.details ? "" : "; --details prints the errors by collective and algorithm");
  }
}

}  // namespace

void add_validate_command(Command& app) {
  Command command = app.subcommand("validate", "Measure what was not fitted, and compare it with predictions");
  const auto options = std::make_shared<Options>();
  command.option("--platform", options->platform, "Platform file to validate");
  command.option("-o,--output", options->output, "Validation file to write").with_default();
  command.option("--sizes", options->sizes, "Sizes of held-out messages, or none; they must not be the fitted ones");
  command.option("--collective", options->collectives,
                 "COLLECTIVE:ALGORITHM:SIZE[:seg=SIZE][:root=RANK], may be repeated; by default all, or none");
  command
      .option("--suite", options->suite,
              "Validate every model on the simulated platforms of the accuracy suite: quick or full")
      .one_of({"quick", "full"});
  command.option("--on", options->suite_platforms, "Platforms of the suite, like flat16,multi4x8; by default all")
      .comma_separated();
  command.option("--keep", options->keep,
                 "Keep the suite's platform files, samples and the simulator's input in a folder");
  command.option("--with", options->earlier, "Earlier results of the suite, whose platforms are not run again");
  command.option("--page", options->page, "Folder to write the suite's page into: accuracy.md and its images");
  add_launch_options(command, options->launch);
  command.flag("--details", options->details, "Print the errors of every algorithm, not only of each model");
  command.flag("--json", options->json, "Print the validation as JSON");
  command.footer(
      "Examples:\n"
      "  postage validate --platform platform.json\n"
      "  postage validate --suite quick --on flat16,multi4x8\n"
      "  postage validate --platform virtual.json --virtual mixed16 --collective bcast:binomial:96K");
  command.action([options] { run(*options); });
}

}  // namespace postage
