#include "measure/arguments.hpp"
#include "transport/mpi/mpi_transport.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/measure/campaign.hpp>

#include <fmt/format.h>
#include <mpi.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

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
  fmt::print("{}, {} ranks, {} rounds of experiments\n", samples.implementation, samples.ranks.size(), samples.rounds);
  fmt::print("{:<36} {:>8} {:>12} {:>9} {:>6}\n", "experiment", "size", "median", "+- %", "times");
  for (const Measurement& m : samples.measurements) {
    fmt::print("{:<36} {:>8} {:>12} {:>9.2f} {:>6} {}\n", describe(m.experiment), format_bytes(m.experiment.bytes),
               format_seconds(m.summary.median), 100 * m.summary.median_interval.relative_half_width(m.summary.median),
               m.summary.count, remarks(m));
  }
}

void warn(const std::string& sentence) {
  fmt::print(stderr, "postage-measure: warning: {}\n", sentence);
}

/// Says how far the campaign is, not too often: to a program in lines, to a person in one line that changes.
class ProgressTeller {
 public:
  explicit ProgressTeller(bool for_program) : for_program_(for_program) {}

  void operator()(double share) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200) && share < 1) {
      return;
    }
    last_ = now;
    if (for_program_) {
      fmt::print(stderr, "{}{:.4f}\n", kProgressMark, share);
    } else if (isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "\r{:3.0f} %{}", 100 * share, share < 1 ? "" : "\n");
    }
    std::fflush(stderr);
  }

 private:
  bool for_program_;
  std::chrono::steady_clock::time_point last_{};
};

void measure(const MeasureArguments& arguments) {
  MpiTransport transport(MPI_COMM_WORLD);
  CampaignHooks hooks{.progress = ProgressTeller(arguments.progress)};
  if (!arguments.stop_file.empty()) {
    hooks.stop_requested = [&] { return std::filesystem::exists(arguments.stop_file); };
  }
  const SampleSet samples = run_campaign(transport, arguments.plan, arguments.settings, hooks);
  if (transport.rank() != 0) {
    return;
  }
  if (!transport.is_virtual() && transport.bound_pu() < 0) {
    warn("ranks are not bound to cores; start them with --bind-to core");
  }
  if (!arguments.output.empty()) {
    write_json(arguments.output, to_json(samples));
    return;
  }
  for (const std::string& sentence : drift_warnings(samples)) {
    warn(sentence);
  }
  print_table(samples);
}

bool is_first_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

/// Wrong arguments are wrong on every rank: the first one says so, and all leave in order.
int refuse(const std::string& sentence) {
  if (is_first_rank()) {
    fmt::print(stderr, "postage-measure: {}\n", sentence);
  }
  MPI_Finalize();
  return 2;
}

int run(int argc, char** argv) {
  try {
    const MeasureArguments arguments = parse_measure_arguments(argc, argv);
    if (!arguments.help.empty()) {
      if (is_first_rank()) {
        fmt::print("{}", arguments.help);
      }
    } else {
      measure(arguments);
    }
  } catch (const UsageError& mistake) {
    return refuse(mistake.what());
  }
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    return postage::run(argc, argv);
  } catch (const std::exception& failure) {
    // One rank's failure would leave the others waiting for ever.
    fmt::print(stderr, "postage-measure: {}\n", failure.what());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
}
