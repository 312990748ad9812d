#include "cli/commands.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/report/report.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

struct Options {
  std::vector<std::string> platforms;
  std::vector<std::string> validations;
  std::string doctor;
  std::string output = "report.html";
};

void run(const Options& options) {
  ReportInput input;
  for (const std::string& path : options.platforms) {
    input.platforms.push_back(read_platform(path));
  }
  for (const std::string& path : options.validations) {
    input.validations.push_back(validation_from_json(read_json(path), path));
  }
  if (!options.doctor.empty()) {
    input.doctor = read_json(options.doctor);
  }
  write_file(options.output, render_report(input));
  fmt::print("wrote {}\n", options.output);
}

}  // namespace

void add_report_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("report", "Write an offline HTML report");
  const auto options = std::make_shared<Options>();
  command->add_option("--platform", options->platforms, "Platform file; may be repeated")
      ->required()
      ->allow_extra_args(false);
  command->add_option("--validation", options->validations, "Validation file of one of the platforms; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--doctor", options->doctor, "What 'postage doctor --json' printed");
  command->add_option("-o,--output", options->output, "HTML file to write")->capture_default_str();
  command->footer("Example:\n  postage report --platform platform.json --validation validation.json -o report.html");
  command->callback([options] { run(*options); });
}

}  // namespace postage
