#include "cli/commands.hpp"
#include "cli/estimation.hpp"
#include "cli/measuring/campaign.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"
#include "cli/platforms/site_topology.hpp"
#include "cli/tables/dry_run.hpp"

#include <postage/launch/random_platform.hpp>
#include <postage/measure/collective_run.hpp>
#include <postage/measure/plan_options.hpp>
#include <postage/samples/benchmark_tables.hpp>
#include <postage/samples/sample_files.hpp>
#include <postage/validate/held_out_accuracy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace postage {
namespace {

/// The collectives that were asked for: no model is fitted to them.
void print_collectives(const MeasureOptions& options, const SampleSet& samples) {
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

std::string name_of_platform(const MeasureOptions& options, const SampleSet& samples) {
  if (!options.name.empty()) {
    return options.name;
  }
  if (!options.launch.virtual_name.empty()) {
    return std::filesystem::path(options.launch.virtual_name).stem().string();
  }
  return samples.nodes.empty() ? "" : samples.nodes.front().name;
}

void run(MeasureOptions options) {
  if (options.dry_run) {
    print_dry_run(launch_of(options), options.per_node, experiments_of(options), options.json);
    return;
  }
  options.output = platform_output(options.output, options.force);
  const bool replaces = std::filesystem::is_regular_file(options.output);
  check_output_folder("--samples", options.samples);
  if (const auto seed = seed_of(options.launch.virtual_name)) {
    print_remark("postage: {} is {}\n", options.launch.virtual_name, random_platform(*seed).title);
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
    print_remark("postage: wrote samples to {}\n", file.string());
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
  if (options.format == "osu") {
    fmt::print("{}", osu_text(samples, "postage-" POSTAGE_VERSION));
    return;
  }
  print_platform(platform, {options.json, options.parameters, replaces}, options.output);
  if (!options.json) {
    print_collectives(options, samples);
  }
}

}  // namespace

void add_measure_command(Command& app) {
  Command command = app.subcommand("measure", "Measure messages and estimate the parameters of every model");
  const auto options = std::make_shared<MeasureOptions>();
  command.option("-o,--output", options->output, "Platform file to write; by default platform.json");
  command.flag("--force", options->force, "Replace platform.json; a file that --output names is replaced without");
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
  command
      .option("--format", options->format,
              "What to print: the platform, or osu: latencies, bandwidths and collectives in the shape of the OSU "
              "micro-benchmarks' tables, with percentiles")
      .with_default()
      .one_of({"platform", "osu"});
  command
      .option("--repeat", options->repeat,
              "Measure again, up to so many times, where the machine changed its speed meanwhile")
      .with_default()
      .range(0, 100);
  command.flag("--parameters", options->parameters, "Print the parameters of every model, too");
  command.flag("--json", options->json, "Print the platform as JSON");
  command.only_with({"--dry-run"}, {"--per-node"});
  command.not_with("--output", {"--force"});
  command.not_with("--dry-run", {"--output", "--force", "--samples", "--name", "--topology", "--repeat", "--parameters",
                                 "--format", "--mpi", "--shm", "--launcher", "--hostfile", "--lab", "--smpi-arg"});
  command.not_with("--json", {"--parameters", "--format"});
  command.not_with("--format", {"--parameters"});
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
