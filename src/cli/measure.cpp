#include "cli/commands.hpp"
#include "cli/estimation.hpp"
#include "cli/launching.hpp"
#include "cli/options/output_file.hpp"
#include "cli/platforms/site_topology.hpp"
#include "cli/tables/dry_run.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/launch/random_platform.hpp>
#include <postage/launch/slurm.hpp>
#include <postage/measure/collective_run.hpp>
#include <postage/measure/held_out_draw.hpp>
#include <postage/measure/plan_options.hpp>
#include <postage/measure/setting_options.hpp>
#include <postage/model/model.hpp>
#include <postage/samples/sample_files.hpp>
#include <postage/validate/held_out_accuracy.hpp>
#include <postage/validate/refinement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace postage {
namespace {

struct Options {
  LaunchOptions launch;
  std::string output = "platform.json";
  std::string samples;
  std::string name;
  std::string models;
  std::string topology;
  std::map<std::string, std::string> sizes;  ///< by option, as typed: instead of what the models need
  std::vector<std::string> collectives;
  std::size_t held_out = kUsualHeldOut;
  std::size_t held_out_seed = 1;
  bool quick = false;
  bool dry_run = false;
  int per_node = 1;
  std::string pairs;
  bool json = false;
};

/// The collectives that were asked for: no model is fitted to them.
void print_collectives(const Options& options, const SampleSet& samples) {
  std::vector<CollectiveRun> asked;
  for (const std::string& text : options.collectives) {
    asked.push_back(parse_collective_run(text));
  }
  const auto is_asked = [&](const Experiment& e) {
    return e.kind == ExperimentKind::kCollective && std::any_of(asked.begin(), asked.end(), [&](const auto& run) {
             return name_of(run.collective) == e.collective && run.algorithm == e.algorithm && run.bytes == e.bytes;
           });
  };
  for (const Measurement& m : samples.measurements) {
    if (is_asked(m.experiment)) {
      fmt::print("{} of {}: {}, {} to {}\n", describe(m.experiment), format_bytes(m.experiment.bytes),
                 format_seconds(m.summary.median), format_seconds(m.summary.median_interval.lower),
                 format_seconds(m.summary.median_interval.upper));
    }
  }
}

std::vector<std::string> chosen_models(const Options& options) {
  return options.models.empty() ? estimated_models() : parse_models(options.models);
}

std::vector<std::string> experiments_of(const Options& options) {
  std::vector<std::string> words = experiments_for(
      chosen_models(options), {.quick = options.quick, .is_virtual = !options.launch.virtual_name.empty()});
  for (const auto& [option, sizes] : options.sizes) {
    const auto planned = std::find(words.begin(), words.end(), option);
    if (sizes.empty()) {
      continue;
    }
    if (planned != words.end()) {
      *(planned + 1) = sizes;
    } else {
      words.insert(words.end(), {option, sizes});
    }
  }
  for (const std::string& collective : options.collectives) {
    static_cast<void>(parse_collective_run(collective));
    words.insert(words.end(), {"--collective", collective});
  }
  if (options.launch.virtual_name.empty()) {
    const std::vector<std::string> held_out = words_of(HeldOutChoice{options.held_out, options.held_out_seed});
    words.insert(words.end(), held_out.begin(), held_out.end());
  }
  if (!options.pairs.empty()) {
    words.insert(words.end(), {"--pairs", options.pairs});
  }
  if (options.launch.shm) {
    words.emplace_back("--thresholds");
  }
  return words;
}

/// What is left of the time that was given, or of Slurm's: less a moment for starting the job, and for estimating.
std::string time_for_measuring(const std::string& given) {
  constexpr Seconds kMostReserved = 20;
  constexpr double kReserved = 0.1;
  std::optional<Seconds> limit = slurm_time_left();
  if (!given.empty()) {
    limit = std::min(parse_time_limit(given), limit.value_or(parse_time_limit(given)));
  }
  if (!limit) {
    return "";
  }
  const Seconds left = *limit - std::min(kMostReserved, kReserved * *limit);
  if (left < 1) {
    throw UsageError(
        fmt::format("Slurm ends this job in {:.0f} s, which is too short to measure anything: give the job a "
                    "longer --time",
                    std::max(*limit, 0.0)));
  }
  return fmt::format("{:.1f}s", left);
}

/// A quick campaign has lower settings, where the user gave none.
LaunchOptions launch_of(const Options& options) {
  const LaunchOptions standard;
  LaunchOptions launch = options.launch;
  SettingOptions& measuring = launch.measuring;
  measuring.settings.keep_values = measuring.settings.keep_values || !options.samples.empty();
  const MeasureSettings& usual = standard.measuring.settings;
  const auto lower = [](int& value, int usually, int quickly) { value = value == usually ? quickly : value; };
  if (!launch.virtual_name.empty()) {
    lower(measuring.settings.most_repetitions, usual.most_repetitions, kMostSimulatedRepetitions);
  }
  if (options.quick) {
    lower(measuring.settings.passes, usual.passes, 3);
    lower(measuring.settings.least_repetitions, usual.least_repetitions, 9);
    measuring.budget = measuring.budget == standard.measuring.budget ? "5s" : measuring.budget;
  }
  if (launch.virtual_name.empty()) {
    measuring.time_limit = time_for_measuring(measuring.time_limit);
  }
  return launch;
}

std::string name_of_platform(const Options& options, const SampleSet& samples) {
  if (!options.name.empty()) {
    return options.name;
  }
  if (!options.launch.virtual_name.empty()) {
    return std::filesystem::path(options.launch.virtual_name).stem().string();
  }
  return samples.nodes.empty() ? "" : samples.nodes.front().name;
}

/// Keeps the samples of an interrupted campaign.
void keep_interrupted(const Options& options, const SampleSet& samples) {
  const std::string folder = options.samples.empty() ? options.output + ".samples" : options.samples;
  const std::string file = samples.measurements.empty() ? "" : save_samples(folder, samples).string();
  throw Interrupted(file.empty() ? std::string("measuring was interrupted before anything had been measured")
                                 : fmt::format("measuring was interrupted; {} experiments are kept in {}, and 'postage "
                                               "estimate {} -o {}' estimates from them what is possible",
                                               samples.measurements.size(), file, folder, options.output));
}

/// Also at sizes that the first samples ask for, where a simulation tells them at little cost and the user gave none.
SampleSet measure_all(const Options& options) {
  const LaunchOptions launch = launch_of(options);
  SampleSet samples = measure_with(launch, experiments_of(options));
  const bool has_sizes = std::any_of(options.sizes.begin(), options.sizes.end(),
                                     [](const auto& option) { return !option.second.empty(); });
  if (launch.virtual_name.empty()) {
    return samples;
  }
  LaunchOptions few = launch;
  few.ranks = refining_ranks(samples);
  if (!options.quick && !has_sizes && !samples.interrupted) {
    samples = refine_samples(std::move(samples),
                             [&](const std::vector<std::string>& words) { return measure_with(few, words); });
  }
  return with_held_out(std::move(samples), {options.held_out, options.held_out_seed},
                       [&](const std::vector<std::string>& words) { return measure_with(launch, words); });
}

void run(const Options& options) {
  if (options.dry_run) {
    print_dry_run(launch_of(options), options.per_node, experiments_of(options), options.json);
    return;
  }
  check_output_file("--output", options.output);
  check_output_folder("--samples", options.samples);
  if (const auto seed = seed_of(options.launch.virtual_name)) {
    fmt::print(stderr, "postage: {} is {}\n", options.launch.virtual_name, random_platform(*seed).title);
  }
  check_site_hosts(options.topology, launch_of(options));
  SampleSet samples = measure_all(options);
  samples.name = name_of_platform(options, samples);
  print_remarks(samples);
  if (samples.interrupted) {
    keep_interrupted(options, samples);
  }
  if (!options.samples.empty()) {
    const std::filesystem::path file = save_samples(options.samples, samples);
    fmt::print(stderr, "postage: wrote samples to {}\n", file.string());
  }
  Platform platform = estimate_models(samples, samples.name, {.groups = site_groups(options.topology, samples)});
  add_held_out(platform, samples);
  if (!options.models.empty()) {
    const std::vector<std::string> chosen = chosen_models(options);
    std::erase_if(platform.models, [&](const ParameterTable& table) {
      return std::find(chosen.begin(), chosen.end(), table.model) == chosen.end();
    });
  }
  write_platform(options.output, platform);
  print_platform(platform, options.json, options.output);
  if (!options.json) {
    print_collectives(options, samples);
  }
}

}  // namespace

void add_measure_command(Command& app) {
  Command command = app.subcommand("measure", "Measure messages and estimate the parameters of every model");
  const auto options = std::make_shared<Options>();
  command.option("-o,--output", options->output, "Platform file to write").with_default();
  command.option("--models", options->models,
                 "Models to estimate, like hockney,loggp, or all; by default those that can be estimated");
  command.flag("--quick", options->quick, "Measure fewer sizes and repetitions, with a budget of 5s");
  command.option(
      "--samples", options->samples,
      "Folder to write samples into, with the time of every repetition, for postage estimate: one file per campaign");
  command.option("--name", options->name, "Name of the platform; by default the name of its first host");
  for (const PlanOption& option : plan_options()) {
    const std::string name(option.name);
    if (option.form == OptionForm::kCollective) {
      command.option(name, options->collectives, std::string(option.help));
    } else {
      command.option(name, options->sizes[name], std::string(option.help) + ", instead of what the models need");
    }
  }
  command.option("--topology", options->topology,
                 "Slurm's topology.conf: groups of hosts are those of its switches, instead of what the times tell");
  command
      .option("--held-out", options->held_out,
              "Collectives to visit between the other experiments, in at most 15 % of the time: no model is fitted to "
              "them; they choose the model of predictions, and give these their intervals; 0 for none")
      .with_default()
      .range(0, 100'000);
  command.option("--held-out-seed", options->held_out_seed, "Seed of the choice of these collectives").with_default();
  command.option("--pairs", options->pairs,
                 "Measure these pairs of ranks, like 0-1,2-7, instead of some of each class that is found");
  command.flag(
      "--dry-run", options->dry_run,
      "Print how many experiments there would be on -n ranks, and about how long they take, without starting any");
  command.option("--per-node", options->per_node, "Of --dry-run: ranks on each host").with_default().range(1, 1 << 16);
  add_launch_options(command, options->launch);
  command.flag("--json", options->json, "Print the platform as JSON");
  command.footer(
      "Examples:\n"
      "  postage measure -o platform.json\n"
      "  postage measure --mpi mpich -n 2 --quick -o mpich.json\n"
      "  postage measure --shm -o shm.json\n"
      "  postage measure --collective bcast:binomial:4K --collective bcast:library:4K --stride 64\n"
      "  postage measure --models all --budget 2min --samples samples/ -o platform.json\n"
      "  postage measure --launcher \"srun -N 2 --ntasks-per-node 2\" -o cluster.json\n"
      "  postage measure --launcher \"srun -N 64\" --topology /etc/slurm/topology.conf -o cluster.json\n"
      "  postage measure --time-limit 10min -o platform.json\n"
      "  postage measure --dry-run -n 1024 --per-node 4\n"
      "  postage measure --virtual mixed16 -o virtual.json");
  command.action([options] { run(*options); });
}

}  // namespace postage
