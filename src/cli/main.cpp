#include "cli/commands.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace postage {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

void add_commands(CLI::App& app) {
  add_doctor_command(app);
  add_measure_command(app);
  add_estimate_command(app);
  add_predict_command(app);
  add_explain_command(app);
  add_compare_command(app);
  add_validate_command(app);
  add_schedule_command(app);
  add_report_command(app);
  add_models_command(app);
  add_lab_command(app);
  add_bench_command(app);
}

std::string command_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

// CLI11 would only say that an argument was not expected.
void check_first_word(const CLI::App& app, int argc, const char* const* argv) {
  const std::string name = argc > 1 ? argv[1] : "-";
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == name; };
  if (!name.starts_with('-') && app.get_subcommands(is_named).empty()) {
    throw UsageError(unknown_name("command", name, command_names(app)));
  }
}

std::string where_to_read_on(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "see 'postage --help'" : fmt::format("see 'postage {} --help'", chosen.front()->get_name());
}

// A full disk behind "postage ... > file" must not look like success.
void flush_output() {
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error("cannot write to standard output");
  }
}

int complain(const std::string& sentence, int status) {
  fmt::print(stderr, "postage: {}\n", sentence);
  return status;
}

int run(int argc, const char* const* argv) {
  CLI::App app("What a message costs, and how to make it cheaper.", "postage");
  app.set_version_flag("--version", "postage " POSTAGE_VERSION);
  app.footer("Start with:\n  postage doctor");
  add_commands(app);
  try {
    check_first_word(app, argc, argv);
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      throw UsageError("no command was given; the valid ones are " + command_names(app));
    }
    flush_output();
    return 0;
  } catch (const CLI::ParseError& mistake) {
    if (mistake.get_exit_code() == 0) {  // --help and --version
      const int status = app.exit(mistake);
      flush_output();
      return status;
    }
    return complain(fmt::format("{}; {}", mistake.what(), where_to_read_on(app)), kUsage);
  } catch (const UsageError& mistake) {
    return complain(mistake.what(), kUsage);
  }
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  try {
    return postage::run(argc, argv);
  } catch (const std::exception& failure) {
    return postage::complain(failure.what(), postage::kFailure);
  }
}
