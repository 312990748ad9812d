#include "papers/chai/applications.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/statistics.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace postage::chai_paper {
namespace {

constexpr const char* kMpi = "openmpi";
constexpr Seconds kTimeLimit = 120;

/// Upper ends of table 1's columns but the last.
constexpr std::array<Bytes, 3> kUpperEnds{1 << 10, 32 << 10, 1 << 20};

std::filesystem::path library() {
  const std::filesystem::path found = find_built(fmt::format("libpostage-{}.so", kMpi));
  if (found.empty()) {
    throw Error(fmt::format("the preload library of {} was not built", kMpi));
  }
  return found;
}

/// What the program prints.
std::string run(const StandIn& application, int ranks, const std::vector<std::string>& arguments,
                std::vector<std::string> environment) {
  const LaunchTarget target{
      .mpi = kMpi, .ranks = ranks, .program = fmt::format("postage-program-{}", application.program)};
  const std::string printed =
      run_command(launch_command(target, arguments), kTimeLimit, {.environment = std::move(environment)});
  if (printed.find("verified") == std::string::npos) {
    throw Error(fmt::format("{} says: {}", application.program, printed));
  }
  return printed;
}

/// "...: verified, 0.123 s"
Seconds seconds_of(const std::string& printed) {
  return std::strtod(printed.c_str() + printed.rfind(',') + 1, nullptr);
}

Json counted(const StandIn& application, int ranks) {
  const TemporaryFolder folder;
  const std::filesystem::path profile = folder.path() / "profile.json";
  static_cast<void>(
      run(application, ranks, application.counted,
          {fmt::format("LD_PRELOAD={}", library().string()), fmt::format("POSTAGE_STATS_JSON={}", profile.string())}));
  return read_json(profile);
}

}  // namespace

const std::vector<StandIn>& stand_ins() {
  static const std::vector<StandIn> all{
      {"conjugate_gradient", "CG", {"34", "75"}, {"137", "1500"}},
      {"fft_2d", "FT", {"2048", "1"}, {"2048", "2"}},
      {"bucket_sort", "IS", {"4194304", "1"}, {"4194304", "1"}},
      {"panel_broadcast", "HPL", {"1024", "64"}, {"1024", "64"}},
  };
  return all;
}

MessageShares message_shares(PaperContext& context, const StandIn& application, int ranks) {
  const Json& profile = context.once(fmt::format("messages of {}", application.program), [&] {
    context.tell(fmt::format("counting messages of {} among {} ranks", application.program, ranks));
    return counted(application, ranks);
  });
  MessageShares shares{};
  double all = 0;
  for (const char* kind : {"point_to_point", "collective"}) {
    const Json& classes = profile["messages"][kind];
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const auto column = std::ranges::upper_bound(kUpperEnds, classes[i]["from"].integer()) - kUpperEnds.begin();
      const double messages = classes[i]["messages"].number();
      shares.at(static_cast<std::size_t>(column)) += messages;
      all += messages;
    }
  }
  for (double& share : shares) {
    share /= all;
  }
  return shares;
}

double PairedRuns::saving() const {
  std::vector<double> savings;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    savings.push_back(1 - preloaded[i] / alone[i]);
  }
  return median(savings);
}

PairedRuns paired_runs(PaperContext& context, const StandIn& application, int ranks, int pairs) {
  context.tell(fmt::format("running {} {} times with and without the preload library", application.program, pairs));
  const std::string preload = fmt::format("LD_PRELOAD={}", library().string());
  PairedRuns runs;
  for (int pair = 0; pair < pairs; ++pair) {
    runs.alone.push_back(seconds_of(run(application, ranks, application.timed, {})));
    runs.preloaded.push_back(seconds_of(run(application, ranks, application.timed, {preload})));
  }
  return runs;
}

}  // namespace postage::chai_paper
