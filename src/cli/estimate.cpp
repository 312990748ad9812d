#include "cli/commands.hpp"
#include "cli/estimation.hpp"
#include "cli/options/benchmark_options.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"
#include "cli/platforms/site_topology.hpp"

#include <postage/base/error.hpp>
#include <postage/samples/sample_files.hpp>
#include <postage/validate/held_out_accuracy.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace postage {
namespace {

struct EstimateCommand {
  std::vector<std::string> samples;
  BenchmarkOptions benchmarks;
  std::string output;
  bool force = false;
  std::string name;
  std::string topology;
  std::string overheads = "classical";
  std::string gaps = "direct";
  std::string gap_per_byte = "slope";
  EstimateSettings settings;
  bool parameters = false;
  bool json = false;
};

EstimateSettings settings_of(const EstimateCommand& options) {
  EstimateSettings settings = options.settings;
  settings.overheads = parse_overhead_method(options.overheads);
  settings.gap = parse_gap_method(options.gaps);
  settings.gap_per_byte = parse_per_byte_method(options.gap_per_byte);
  return settings;
}

/// Campaigns of postage's own, or tables of other benchmarks.
SampleSet samples_to_estimate(const EstimateCommand& options) {
  if (options.samples.empty() == !options.benchmarks.any()) {
    throw UsageError("give samples (postage measure --samples), or tables of other benchmarks by --osu and --imb");
  }
  return options.benchmarks.any() ? benchmark_samples(options.benchmarks) : load_samples(options.samples);
}

/// Tables of other benchmarks say less than a campaign: which models do without the rest.
void print_what_was_estimated(const Platform& platform) {
  std::string names;
  for (const ParameterTable& table : platform.models) {
    names += (names.empty() ? "" : ", ") + table.model;
  }
  print_remark(
      "postage: estimated {}; other models need overheads, concurrent messages or collectives, which postage "
      "measure times\n",
      names);
}

void run(const EstimateCommand& options) {
  const std::string output = platform_output(options.output, options.force);
  const bool replaces = std::filesystem::is_regular_file(output);
  EstimateSettings settings = settings_of(options);
  const SampleSet samples = samples_to_estimate(options);
  settings.groups = site_groups(options.topology, samples);
  print_remarks(samples);
  const std::string name = !options.name.empty()   ? options.name
                           : !samples.name.empty() ? samples.name
                                                   : samples.nodes.front().name;
  Platform platform = estimate_models(samples, name, settings);
  add_held_out(platform, samples);
  if (options.benchmarks.any()) {
    print_what_was_estimated(platform);
  }
  write_platform(output, platform);
  print_platform(platform, {options.json, options.parameters, replaces}, output);
}

}  // namespace

void add_estimate_command(Command& app) {
  Command command = app.subcommand("estimate", "Estimate the parameters of every model from samples on disk");
  const auto options = std::make_shared<EstimateCommand>();
  command.option("samples", options->samples, "Samples: folders written by postage measure --samples, or single files");
  add_benchmark_options(command, options->benchmarks);
  command.option("-o,--output", options->output, "Platform file to write; by default platform.json");
  command.flag("--force", options->force, "Replace platform.json; a file that --output names is replaced without");
  command.option("--name", options->name, "Name of the platform; by default the name in the samples");
  command.option("--topology", options->topology,
                 "Slurm's topology.conf: groups of hosts are those of its switches, instead of what the times tell");
  command
      .option("--overheads", options->overheads,
              "Method for the overheads of LogP: classical, from short trains and delayed receives, or trains, from "
              "parametrised roundtrips")
      .with_default();
  command
      .option("--gaps", options->gaps,
              "Method for g(m) of PLogP: direct, by saturation at each size, or indirect, from roundtrips")
      .with_default();
  command
      .option("--gap-per-byte", options->gap_per_byte,
              "Method for G of LogGP: slope, of roundtrips over the size, or saturation, from trains of the largest "
              "messages")
      .with_default();
  command.flag("--printed-equations", options->settings.printed_equations,
               "Estimate LMO with the equations as printed in its paper, instead of the corrected ones");
  command.flag("--printed-kappa", options->settings.printed_kappa,
               "Estimate kappa_1 and kappa_2 of LMO as printed in its paper, where they hold the root's time per byte, "
               "which equations 9 and 10 then charge twice");
  command.option("--folds", options->settings.folds, "Folds of the cross-validation over message sizes; 0 for none")
      .with_default()
      .range(0, 1000);
  command.flag("--parameters", options->parameters, "Print the parameters of every model, too");
  command.flag("--json", options->json, "Print the platform as JSON");
  command.only_with({"--osu", "--imb"}, {"--levels"});
  command.not_with("--output", {"--force"});
  command.not_with("--json", {"--parameters"});
  command.footer(
      "Examples:\n"
      "  postage estimate samples/ -o platform.json\n"
      "  postage estimate monday/ tuesday/ -o platform.json      # campaigns of several allocations\n"
      "  postage estimate samples/ --overheads trains --gaps indirect -o other.json\n"
      "  postage estimate --osu osu_latency.txt --osu osu_bw.txt -o cluster.json\n"
      "  postage estimate --osu osu_latency.txt --osu shared-cache=inside.txt --levels shared-cache:8,inter-node -o "
      "cluster.json");
  command.action([options] { run(*options); });
}

}  // namespace postage
