#include "cli/commands.hpp"
#include "cli/options/output_file.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/report/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace postage {
namespace {

struct Options {
  std::vector<std::string> platforms;
  std::vector<std::string> validations;
  std::vector<std::string> comparisons;
  std::string doctor;
  std::string output = "report.html";
};

Json read_comparison(const std::string& path) {
  Json rows = read_json(path);
  const auto is_row = [](const Json& row) {
    return row.is_object() && row.contains("collective") && row.contains("algorithm") && row.contains("bytes") &&
           row.contains("seconds") && row.contains("model") && row.contains("P");
  };
  if (!rows.is_array() || !std::all_of(rows.begin(), rows.end(), is_row)) {
    throw Error(fmt::format("{} is not the output of 'postage compare --json'", path));
  }
  return rows;
}

void run(const Options& options) {
  check_output_file("--output", options.output);
  ReportInput input;
  for (const std::string& path : options.platforms) {
    input.platforms.push_back(read_platform(path));
  }
  for (const std::string& path : options.validations) {
    input.validations.push_back(validation_from_json(read_json(path), path));
  }
  for (const std::string& path : options.comparisons) {
    input.comparisons.push_back(read_comparison(path));
  }
  if (!options.doctor.empty()) {
    input.doctor = read_json(options.doctor);
  }
  write_file(options.output, render_report(input));
  fmt::print("wrote {}\n", options.output);
}

}  // namespace

void add_report_command(Command& app) {
  Command command = app.subcommand("report", "Write an HTML report that needs no network");
  const auto options = std::make_shared<Options>();
  command.option("--platform", options->platforms, "Platform file; may be repeated").required().one_at_a_time();
  command.option("--validation", options->validations, "Validation file of one of the platforms; may be repeated")
      .one_at_a_time();
  command.option("--comparison", options->comparisons, "Output of 'postage compare --json'; may be repeated")
      .one_at_a_time();
  command.option("--doctor", options->doctor, "Output of 'postage doctor --json'");
  command.option("-o,--output", options->output, "HTML file to write").with_default();
  command.footer("Example:\n  postage report --platform platform.json --validation validation.json -o report.html");
  command.action([options] { run(*options); });
}

}  // namespace postage
