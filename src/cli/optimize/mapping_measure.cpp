#include "cli/optimize/mapping_measure.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/launch.hpp>
#include <postage/optimize/mapping/rank_files.hpp>

#include <fmt/format.h>

#include <limits>
#include <set>
#include <sstream>
#include <utility>

namespace postage {
namespace {

constexpr std::size_t kPairs = 7;
constexpr const char* kRepetitions = "15";
constexpr Seconds kLongestRun = 300;

std::string phases_text(const Communication& communication) {
  std::string text;
  for (const MessagePhase& phase : communication.phases) {
    text += fmt::format("phase {:.0f}\n", phase.times);
    for (const auto& [source, target, bytes] : phase.messages) {
      if (bytes > std::numeric_limits<int>::max()) {
        throw UsageError(fmt::format("--verify with real ranks sends messages below 2 GiB, not {}", bytes));
      }
      text += fmt::format("{} {} {}\n", source, target, bytes);
    }
  }
  return text;
}

std::string short_name(const std::string& host) {
  return host.substr(0, host.find('.'));
}

/// That a rank is where it should be: "rank R HOST CORE", a core of -1 where it may run on several.
class Places {
 public:
  Places(const std::vector<RankPlacement>& wanted, const std::vector<std::string>& hosts)
      : wanted_(wanted), hosts_(hosts) {}

  void check(std::size_t rank, const std::string& host, int core) {
    const std::string& expected = hosts_.at(static_cast<std::size_t>(wanted_.at(rank).node));
    const bool is_here = expected == "localhost";
    if (!is_here && short_name(expected) != short_name(host)) {
      throw Error(fmt::format("--verify: the launcher put rank {} on {}, not on {}", rank, host, expected));
    }
    if (core >= 0 && !taken_.emplace(host, core).second) {
      throw Error(fmt::format("--verify: the launcher put two ranks on core {} of {}", core, host));
    }
    ++checked_;
  }
  [[nodiscard]] bool is_whole() const { return checked_ == wanted_.size(); }

 private:
  const std::vector<RankPlacement>& wanted_;
  const std::vector<std::string>& hosts_;
  std::set<std::pair<std::string, int>> taken_{};
  std::size_t checked_ = 0;
};

Seconds median_of_run(const std::string& output, Places places) {
  std::vector<double> seconds;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (double value = 0; kind == "seconds" && words >> value) {
      seconds.push_back(value);
    }
    std::size_t rank = 0;
    std::string host;
    if (int core = 0; kind == "rank" && words >> rank >> host >> core) {
      places.check(rank, host, core);
    }
  }
  if (seconds.empty() || !places.is_whole()) {
    throw Error("--verify: the measuring program ended without its results");
  }
  return median(seconds);
}

}  // namespace

MeasuredPlacements measure_placements(const MappingAdviceOptions& options, const Communication& communication,
                                      const std::vector<RankPlacement>& block, const std::vector<RankPlacement>& best,
                                      const std::vector<std::string>& hosts) {
  const TemporaryFolder folder;
  write_file(folder.path() / "phases", phases_text(communication));
  const auto run = [&](const std::vector<RankPlacement>& placements) {
    const RankFiles files = rank_files(placements, hosts);
    const LaunchTarget target{.mpi = options.mpi,
                              .rank_file = folder.path() / "ranks",
                              .ranks = communication.ranks,
                              .lab = options.lab,
                              .per_host = options.job.mapping.per_node,
                              .program = "postage-phases"};
    write_file(target.rank_file, options.mpi == "mpich" ? files.hostfile : files.rankfile);
    const auto command = launch_command(target, {(folder.path() / "phases").string(), kRepetitions});
    return median_of_run(run_command(command, kLongestRun), Places(placements, hosts));
  };
  std::vector<double> of_block;
  std::vector<double> of_best;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < kPairs; ++i) {
    // Now the one first, now the other: what drifts slows down both.
    const Seconds first = run(i % 2 == 0 ? block : best);
    const Seconds second = run(i % 2 == 0 ? best : block);
    of_block.push_back(i % 2 == 0 ? first : second);
    of_best.push_back(i % 2 == 0 ? second : first);
    ratios.push_back(of_block.back() / of_best.back());
  }
  return {.block = median(of_block),
          .best = median(of_best),
          .times_faster = median(ratios),
          .times_faster_interval = order_median_interval(ratios, 0.95),
          .pairs = kPairs};
}

}  // namespace postage
