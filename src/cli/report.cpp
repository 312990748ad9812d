#include "cli/commands.hpp"
#include "cli/options/output_file.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/report/report.hpp>
#include <postage/report/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace postage {
namespace {

struct ReportOptions {
  std::vector<std::string> platforms;
  std::vector<std::string> validations;
  std::vector<std::string> decisions;
  std::vector<std::string> gains;
  std::vector<std::string> profiles;
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
    throw UsageError(fmt::format("{} is not the output of 'postage compare --json'", path));
  }
  return rows;
}

Json read_profile(const std::string& path) {
  Json profile = read_json(path);
  const Json* const format = profile.find("format");
  const bool is_profile = format != nullptr && format->is_text() && format->text() == "postage profile";
  if (!is_profile || !profile.contains("collectives") || !profile.contains("messages")) {
    throw UsageError(
        fmt::format("{} is not a profile of a program, which 'postage run --json FILE -- COMMAND' writes", path));
  }
  return profile;
}

Json read_doctor(const std::string& path) {
  Json report = read_json(path);
  if (!report.is_object() || !report.contains("findings") || !report.contains("can_measure")) {
    throw UsageError(fmt::format("{} is not the output of 'postage doctor --json'", path));
  }
  return report;
}

/// What belongs to no platform of the report would be in no part of it.
void check_has_platform(const ReportInput& input, const std::string& path, const std::string& name) {
  if (std::ranges::none_of(input.platforms, [&](const Platform& one) { return one.name == name; })) {
    throw UsageError(fmt::format("{} is of the platform '{}': give its file by --platform, too", path, name));
  }
}

ReportInput read_input(const ReportOptions& options) {
  ReportInput input;
  for (const std::string& path : options.platforms) {
    input.platforms.push_back(read_platform(path));
  }
  for (const std::string& path : options.validations) {
    input.validations.push_back(validation_from_json(read_json(path), path));
    check_has_platform(input, path, input.validations.back().platform);
  }
  for (const std::string& path : options.decisions) {
    input.decisions.push_back(read_decisions(path));
  }
  for (const std::string& path : options.gains) {
    input.gains.push_back(preload_gains_from_json(read_json(path), path));
  }
  for (const std::string& path : options.profiles) {
    input.profiles.push_back(read_profile(path));
  }
  for (const std::string& path : options.comparisons) {
    input.comparisons.push_back(read_comparison(path));
  }
  if (!options.doctor.empty()) {
    input.doctor = read_doctor(options.doctor);
  }
  return input;
}

void run(const ReportOptions& options) {
  check_output_file("--output", options.output);
  const ReportInput input = read_input(options);
  write_file(options.output, render_report(input));
  fmt::print("{}wrote {}\n", render(report_summary(input), output_width()), options.output);
}

}  // namespace

void add_report_command(Command& app) {
  Command command = app.subcommand("report", "Print a summary, and write an HTML report that needs no network");
  const auto options = std::make_shared<ReportOptions>();
  command.option("--platform", options->platforms, "Platform file; may be repeated").required().one_at_a_time();
  command.option("--validation", options->validations, "Validation file of one of the platforms; may be repeated")
      .one_at_a_time();
  command.option("--decisions", options->decisions, "Decisions that 'postage tune' wrote; may be repeated")
      .one_at_a_time();
  command.option("--gains", options->gains, "Gains that 'postage bench --preload -o FILE' wrote; may be repeated")
      .one_at_a_time();
  command
      .option("--profile", options->profiles,
              "Profile of a program, from 'postage run --json FILE -- COMMAND'; may be repeated")
      .one_at_a_time();
  command.option("--comparison", options->comparisons, "Output of 'postage compare --json'; may be repeated")
      .one_at_a_time();
  command.option("--doctor", options->doctor, "Output of 'postage doctor --json'");
  command.option("-o,--output", options->output, "HTML file to write").with_default();
  command.footer(
      "Examples:\n"
      "  postage report --platform platform.json -o report.html\n"
      "  postage report --platform platform.json --decisions tuned/decisions-openmpi.json --profile app.json");
  command.action([options] { run(*options); });
}

}  // namespace postage
