#include "cli/commands.hpp"
#include "cli/launching.hpp"
#include "cli/platform_table.hpp"
#include "cli/sample_files.hpp"

#include <postage/base/json.hpp>
#include <postage/estimate/estimate.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

struct Options {
  std::vector<std::string> samples;
  std::string output = "platform.json";
  std::string name;
  std::string overheads = "classical";
  std::string gaps = "direct";
  EstimateSettings settings;
  bool json = false;
};

EstimateSettings settings_of(const Options& options) {
  EstimateSettings settings = options.settings;
  settings.overheads = parse_overhead_method(options.overheads);
  settings.gap = parse_gap_method(options.gaps);
  return settings;
}

void run(const Options& options) {
  const EstimateSettings settings = settings_of(options);
  const SampleSet samples = load_samples(options.samples);
  print_remarks(samples);
  const std::string name = !options.name.empty()   ? options.name
                           : !samples.name.empty() ? samples.name
                                                   : samples.nodes.front().name;
  const Platform platform = estimate_and_tell(samples, name, settings);
  write_platform(options.output, platform);
  if (options.json) {
    fmt::print("{}\n", to_json(platform).dump(1));
  } else {
    print_platform(platform);
    fmt::print("wrote {}\n", options.output);
  }
}

}  // namespace

void add_estimate_command(Command& app) {
  Command command = app.subcommand("estimate", "Estimate every model's parameters from samples kept before");
  const auto options = std::make_shared<Options>();
  command.option("samples", options->samples, "Folders that postage measure --samples wrote, or their files")
      .required();
  command.option("-o,--output", options->output, "Platform file to write").with_default();
  command.option("--name", options->name, "Name of the platform; by default what postage measure called it");
  command
      .option("--overheads", options->overheads,
              "How LogP's overheads are found: classical, by short trains and delayed receives, or trains, by "
              "parametrised roundtrips")
      .with_default();
  command
      .option("--gaps", options->gaps,
              "How PLogP's g(m) is found: direct, by saturation at each size, or indirect, from roundtrips")
      .with_default();
  command.flag("--printed-equations", options->settings.printed_equations,
               "LMO by its paper's equations as printed, instead of by what the experiments physically do");
  command
      .option("--folds", options->settings.folds,
              "Parts of the sizes that are left out in turn to see how well the rest predicts them; 0 for none")
      .with_default()
      .range(0, 1000);
  command.flag("--json", options->json, "Print the platform as JSON");
  command.footer(
      "Examples:\n"
      "  postage estimate samples/ -o platform.json\n"
      "  postage estimate samples/ --overheads trains --gaps indirect -o other.json");
  command.action([options] { run(*options); });
}

}  // namespace postage
