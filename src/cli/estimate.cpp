#include "cli/commands.hpp"
#include "cli/launching.hpp"
#include "cli/platform_table.hpp"
#include "cli/sample_files.hpp"

#include <postage/estimate/estimate.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace postage {
namespace {

struct Options {
  std::vector<std::string> samples;
  std::string output = "platform.json";
  std::string name;
  bool json = false;
};

void run(const Options& options) {
  const SampleSet samples = load_samples(options.samples);
  print_remarks(samples);
  const std::string name = options.name.empty() ? samples.nodes.front().name : options.name;
  const Platform platform = estimate_platform(samples, name);
  write_platform(options.output, platform);
  if (options.json) {
    fmt::print("{}\n", to_json(platform).dump(1));
  } else {
    print_platform(platform);
    fmt::print("wrote {}\n", options.output);
  }
}

}  // namespace

void add_estimate_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("estimate", "Estimate every model's parameters from samples kept before");
  const auto options = std::make_shared<Options>();
  command->add_option("samples", options->samples, "Folders that postage measure --samples wrote, or their files")
      ->required();
  command->add_option("-o,--output", options->output, "Platform file to write")->capture_default_str();
  command->add_option("--name", options->name, "Name of the platform; by default its first host's");
  command->add_flag("--json", options->json, "Print the platform as JSON");
  command->footer("Example:\n  postage estimate samples/ -o platform.json");
  command->callback([options] { run(*options); });
}

}  // namespace postage
