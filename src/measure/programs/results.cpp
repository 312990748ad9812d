#include "measure/programs/results.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace postage {
namespace {

/// What one should know of a measurement beside its value.
std::string remarks(const Measurement& m) {
  std::string text = m.precise ? "" : "imprecise";
  const auto add = [&](bool holds, const std::string& remark) {
    text += holds ? (text.empty() ? "" : ", ") + remark : "";
  };
  add(!m.summary.steady, "unsteady");
  if (!m.summary.modes.empty()) {
    add(true, fmt::format("two modes, {} and {} ({:.0f} %)", format_seconds(m.summary.modes[0].centre),
                          format_seconds(m.summary.modes[1].centre), 100 * m.summary.modes[1].share));
  }
  add(m.summary.outliers > 0, fmt::format("{} outliers", m.summary.outliers));
  return text;
}

void print_table(const SampleSet& samples) {
  fmt::print("{}, {} ranks, {} sets of experiments at the same time\n", samples.implementation, samples.ranks.size(),
             samples.concurrent_sets);
  fmt::print("{:<36} {:>8} {:>12} {:>9} {:>6}\n", "experiment", "size", "median", "+- %", "times");
  for (const Measurement& m : samples.measurements) {
    fmt::print("{:<36} {:>8} {:>12} {:>9.2f} {:>6} {}\n", describe(m.experiment), format_bytes(m.experiment.bytes),
               format_seconds(m.summary.median), 100 * m.summary.median_interval.relative_half_width(m.summary.median),
               m.summary.count, remarks(m));
  }
}

/// Says how far the campaign is, not too often: to a program in lines, to a person in one line that changes.
class ProgressTeller {
 public:
  explicit ProgressTeller(bool for_program) : for_program_(for_program) {}

  void operator()(const CampaignProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) {
      return;
    }
    last_ = now;
    if (for_program_) {
      fmt::print(stderr, "{}{:.4f} {} {:.3f}\n", kProgressMark, progress.share, progress.repeating ? 1 : 0,
                 progress.budget_left);
    } else if (isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "\r{:3.0f} %\r", 100 * progress.share);
    }
    std::fflush(stderr);
  }

 private:
  bool for_program_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace

CampaignHooks hooks_of(const MeasureArguments& arguments) {
  CampaignHooks hooks{.progress = ProgressTeller(arguments.progress)};
  if (!arguments.stop_file.empty()) {
    hooks.stop_requested = [file = arguments.stop_file] { return std::filesystem::exists(file); };
  }
  if (!arguments.output.empty()) {
    hooks.keep = [file = arguments.output + kUnfinishedSuffix](const SampleSet& samples) {
      write_json(file, to_json(samples));
    };
  }
  return hooks;
}

void warn(const std::string& sentence) {
  fmt::print(stderr, "postage-measure: warning: {}\n", sentence);
}

void check_output(const std::string& output) {
  const std::filesystem::path path(output);
  if (output.empty() || (std::filesystem::exists(path) && !std::filesystem::is_directory(path) &&
                         !std::filesystem::is_regular_file(path))) {
    return;  // a device or a pipe is written as it is
  }
  if (std::filesystem::is_directory(path)) {
    throw Error(fmt::format("cannot write {}: it is a folder", output));
  }
  std::error_code failure;
  if (path.has_parent_path()) {
    std::filesystem::create_directories(path.parent_path(), failure);
    if (failure) {
      throw Error(fmt::format("cannot create the folder of {}: {}", output, failure.message()));
    }
  }
  const std::filesystem::path beside = fmt::format("{}.{}.check", output, getpid());
  if (!std::ofstream(beside)) {
    throw Error(fmt::format("cannot write {}: {}", output, std::strerror(errno)));
  }
  std::filesystem::remove(beside, failure);
}

void write_or_print(const SampleSet& samples, const std::string& output) {
  if (!output.empty()) {
    write_json(output, to_json(samples));
    std::error_code failure;
    std::filesystem::remove(output + kUnfinishedSuffix, failure);
    return;
  }
  for (const std::string& sentence : drift_warnings(samples)) {
    warn(sentence);
  }
  print_table(samples);
}

}  // namespace postage
