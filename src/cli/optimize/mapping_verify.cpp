#include "cli/launching.hpp"
#include "cli/optimize/mapping_options.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <sstream>

namespace postage {
namespace {

/// Of datatype 6, one byte each.
constexpr int kByteType = 6;
constexpr int kTag = 1;
/// A longer program takes minutes to simulate.
constexpr double kMostActions = 20e6;
constexpr Seconds kLongestSimulation = 600;

std::string line_of(Rank rank, const char* action, Rank peer, Bytes bytes) {
  return fmt::format("{} {} {} {} {} {}\n", rank, action, peer, kTag, bytes, kByteType);
}

void check_length(const Communication& communication) {
  double actions = 0;
  for (const MessagePhase& phase : communication.phases) {
    actions += 3 * phase.times * static_cast<double>(phase.messages.size());
  }
  if (actions > kMostActions) {
    throw UsageError(fmt::format("--verify would simulate {:.2g} actions, more than {:.2g}: verify on fewer nodes",
                                 actions, kMostActions));
  }
}

/// The phases as SMPI's replay reads them, a text a rank: in each, ranks post their receives, start their sends and
/// wait for all.
std::vector<std::string> replay_texts(const Communication& communication) {
  std::vector<std::string> texts;
  for (Rank rank = 0; rank < communication.ranks; ++rank) {
    texts.push_back(fmt::format("{} init\n", rank));
  }
  for (const MessagePhase& phase : communication.phases) {
    std::vector<std::string> receives(texts.size());
    std::vector<std::string> sends(texts.size());
    for (const auto& [source, target, bytes] : phase.messages) {
      receives[static_cast<std::size_t>(target)] += line_of(target, "irecv", source, bytes);
      sends[static_cast<std::size_t>(source)] += line_of(source, "isend", target, bytes);
    }
    for (double time = 0; time < phase.times; ++time) {
      for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        texts[rank] += receives[rank] + sends[rank] + fmt::format("{} waitall\n", rank);
      }
    }
  }
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    texts[rank] += fmt::format("{} finalize\n", rank);
  }
  return texts;
}

/// A file for each rank, and the list of them that smpirun takes.
std::filesystem::path write_replay(const Communication& communication, const std::filesystem::path& folder) {
  std::string list;
  const std::vector<std::string> texts = replay_texts(communication);
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    const std::filesystem::path file = folder / fmt::format("rank{}", rank);
    write_file(file, texts[rank]);
    list += file.string() + "\n";
  }
  write_file(folder / "ranks", list);
  return folder / "ranks";
}

/// What SMPI says at the end: "[0.000080] [smpi_utils/INFO] Simulated time: 7.9664e-05 seconds."
std::optional<Seconds> simulated_time_in(std::string_view line) {
  constexpr std::string_view kBefore = "Simulated time: ";
  const auto at = line.find(kBefore);
  return at == std::string_view::npos ? std::nullopt
                                      : std::optional(std::strtod(line.data() + at + kBefore.size(), nullptr));
}

/// The host of each slot: host files name a host and how many of its slots.
std::vector<std::string> hosts_of_slots(const std::filesystem::path& hostfile) {
  std::vector<std::string> hosts;
  std::istringstream words(read_file(hostfile));
  for (std::string word; words >> word;) {
    const auto colon = word.find(':');
    const int count = colon == std::string::npos ? 1 : std::stoi(word.substr(colon + 1));
    hosts.insert(hosts.end(), static_cast<std::size_t>(count), word.substr(0, colon));
  }
  return hosts;
}

}  // namespace

Seconds simulated_seconds(const MappingAdviceOptions& options, const Communication& communication,
                          const std::vector<Rank>& slot_of_rank) {
  const std::filesystem::path launcher = find_in_path("smpirun");
  if (launcher.empty()) {
    throw Error("--verify simulates, and smpirun is not installed: install libsimgrid-dev");
  }
  check_length(communication);
  const TemporaryFolder folder;
  const LaunchTarget target = launch_target({.virtual_name = options.virtual_name}, folder.path());
  const std::vector<std::string> slots = hosts_of_slots(target.hostfile);
  if (slots.size() != slot_of_rank.size()) {
    throw UsageError(fmt::format("--virtual {} has {} slots, but --nodes and --per-node give {}", options.virtual_name,
                                 slots.size(), slot_of_rank.size()));
  }
  std::string hosts;
  for (Rank rank = 0; rank < communication.ranks; ++rank) {
    hosts += slots[static_cast<std::size_t>(slot_of_rank[static_cast<std::size_t>(rank)])] + "\n";
  }
  write_file(folder.path() / "hosts", hosts);
  std::vector<std::string> command{launcher.string(),
                                   "-np",
                                   std::to_string(communication.ranks),
                                   "-platform",
                                   target.virtual_platform.string(),
                                   "-hostfile",
                                   (folder.path() / "hosts").string(),
                                   "-replay",
                                   write_replay(communication, folder.path()).string()};
  for (const char* setting : {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e18",
                              "network/weight-S:0", "smpi/simulate-computation:no", "smpi/host-speed:1Gf",
                              "smpi/wtime:0", "surf/precision:1e-12", "smpi/display-timing:yes"}) {
    command.push_back(std::string("--cfg=") + setting);
  }
  command.insert(command.end(), target.smpi_arguments.begin(), target.smpi_arguments.end());
  std::optional<Seconds> seconds;
  const RunHooks hooks{.error_line = [&](std::string_view line) {
    const auto found = simulated_time_in(std::string(line));
    seconds = found ? found : seconds;
    return true;
  }};
  static_cast<void>(run_command(command, kLongestSimulation, hooks));
  if (!seconds) {
    throw Error("--verify: smpirun ended without saying how long it simulated");
  }
  return *seconds;
}

}  // namespace postage
