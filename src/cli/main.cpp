#include "cli/commands.hpp"
#include "cli/options/checking.hpp"
#include "cli/options/remark.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/launch.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <vector>

namespace postage {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;
constexpr const char* kNoOutput = "cannot write to standard output";
constexpr int kSignalled = 128;  ///< and the signal, as shells say it: 130 for Ctrl-C

void add_commands(Command& app) {
  add_doctor_command(app);
  add_measure_command(app);
  add_estimate_command(app);
  add_predict_command(app);
  add_explain_command(app);
  add_compare_command(app);
  add_optimize_command(app);
  add_validate_command(app);
  add_schedule_command(app);
  add_report_command(app);
  add_topology_command(app);
  add_diff_command(app);
  add_models_command(app);
  add_lab_command(app);
  add_bench_command(app);
  add_paper_command(app);
  add_guidelines_command(app);
  add_watch_command(app);
  add_lint_command(app);
  add_tune_command(app);
  add_emit_command(app);
  add_prove_command(app);
  add_run_command(app);
  add_export_command(app);
  add_manual_commands(app);
}

// A full disk behind "postage ... > file" must not look like success.
void flush_output() {
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error(kNoOutput);
  }
}

/// Words that are quoted may hold anything: one line is printed of what is one sentence.
std::string on_one_line(const std::string& sentence) {
  std::string line;
  for (const char c : sentence) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    line += c == '\n' ? "\\n" : is_control ? fmt::format("\\x{:02x}", c) : std::string(1, c);
  }
  return line;
}

int complain(const std::string& sentence, int status) {
  print_remark("postage: {}\n", on_one_line(sentence));
  return status;
}

int run(int argc, const char* const* argv) {
  CommandLine app("postage", "Measures, models and predicts the time of messages and collectives.");
  app.version("postage " POSTAGE_VERSION);
  app.footer("Start with:\n  postage doctor");
  add_commands(app);
  try {
    fmt::print("{}", app.parse(argc, argv));
    flush_output();
    return 0;
  } catch (const UsageError& mistake) {
    return complain(mistake.what(), kUsage);
  } catch (const Interrupted& stop) {
    return complain(stop.what(), kSignalled + interrupting_signal());
  } catch (const EndsWith& end) {
    flush_output();
    return *end.what() == '\0' ? end.status() : complain(end.what(), end.status());
  }
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  // Whole lines, also where remarks go to the same file.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  try {
    return postage::run(argc, argv);
  } catch (const std::filesystem::filesystem_error& failure) {
    const std::string path = failure.path1().string();
    // Whoever named the file can name another.
    const bool is_name =
        failure.code() == std::errc::filename_too_long || failure.code() == std::errc::too_many_symbolic_link_levels;
    return postage::complain(fmt::format("cannot use {}: {}", path.empty() ? "a file" : path, failure.code().message()),
                             is_name ? postage::kUsage : postage::kFailure);
  } catch (const std::bad_alloc&) {
    return postage::complain("there is not enough memory for this; ask for less at a time", postage::kFailure);
  } catch (const std::exception& failure) {
    // fmt throws where a line cannot be written.
    return postage::complain(std::ferror(stdout) != 0 ? postage::kNoOutput : failure.what(), postage::kFailure);
  }
}
