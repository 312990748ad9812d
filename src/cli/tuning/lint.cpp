#include "cli/commands.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/tuning/lint.hpp>

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace postage {
namespace {

struct LintOptions {
  std::vector<std::string> files;
  std::string format;
  std::string version;
  bool json = false;
};

std::string text_of(const std::string& file) {
  try {
    return read_file(file);
  } catch (const Error& mistake) {
    throw UsageError(mistake.what());
  }
}

LintReport lint_file(const std::string& file, const LintOptions& options) {
  const std::string text = text_of(file);
  std::optional<TuningFormat> format;
  if (!options.format.empty()) {
    format = parse_tuning_format(options.format);
  }
  try {
    format = format ? *format : detect_tuning_format(text);
  } catch (const UsageError& mistake) {
    throw UsageError(fmt::format("{}: {}", file, mistake.what()));
  }
  return lint(text, format, options.version.empty() ? LintVersions{} : parse_lint_versions(options.version, *format));
}

void run_lint(const LintOptions& options) {
  std::size_t findings = 0;
  Json reports = Json::array();
  for (const std::string& file : options.files) {
    const LintReport report = lint_file(file, options);
    findings += report.findings.size();
    if (options.json) {
      reports.push_back(lint_json(report, file));
    } else {
      std::cout << lint_text(report, file);
    }
  }
  if (options.json) {
    std::cout << reports.dump(1) << "\n";
  }
  if (findings > 0) {
    std::cout.flush();
    throw Error(fmt::format("{} finding{} in {} file{}", findings, findings == 1 ? "" : "s", options.files.size(),
                            options.files.size() == 1 ? "" : "s"));
  }
}

}  // namespace

void add_lint_command(Command& app) {
  Command command = app.subcommand("lint", "Say what an MPI library ignores, misreads or aborts on in a tuning file");
  const auto options = std::make_shared<LintOptions>();
  command.option("files", options->files, "Tuning files of Open MPI, MPICH, UCC or Intel MPI").required();
  command.option(
      "--as", options->format,
      "Format, where the content does not tell: openmpi-rules, openmpi-json, han-rules, mpich-json, ucc-conf or "
      "environment");
  command.option("--version", options->version, "Release that reads it, like 5.0.7 or openmpi@5.0.7,mpich@4.2");
  command.flag("--json", options->json, "Print JSON");
  command.footer(
      "Reads rules of Open MPI's coll/tuned (text and JSON) and coll/han, MPICH's selection\n"
      "trees, ucc.conf, and lines NAME=VALUE: scripts, modulefiles, openmpi-mca-params.conf.\n"
      "The exit status is 1 where there is any finding, 0 where there is none, and 2 where a\n"
      "file cannot be read.\n\n"
      "Example:\n  postage lint rules.conf --version 4.1.4");
  command.action([options] { run_lint(*options); });
}

}  // namespace postage
