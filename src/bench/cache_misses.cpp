#include "bench/cache_misses.hpp"

#include "bench/names.hpp"

#include <postage/base/files.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

namespace postage {
namespace {

constexpr Seconds kTimeLimit = 600;

}  // namespace

std::pair<double, double> misses_in(const std::filesystem::path& folder) {
  std::pair<double, double> sum{0, 0};
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::istringstream lines(read_file(file.path()));
    std::vector<std::string> events;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string first;
      words >> first;
      if (first == "events:") {
        events.assign(std::istream_iterator<std::string>(words), {});
      } else if (first == "summary:") {
        double count = 0;
        for (std::size_t i = 0; i < events.size() && words >> count; ++i) {
          (events[i] == "D1mr" || events[i] == "D1mw" ? sum.first : sum.second) +=
              events[i].starts_with("D") && events[i].size() == 4 ? count : 0;
        }
      }
    }
  }
  return sum;
}

namespace {

/// Misses of so many windows of messages, and of all that comes before and after them.
std::pair<double, double> simulate_windows(const BenchProgram& program, Bytes bytes, int windows) {
  const TemporaryFolder folder;
  std::vector<std::string> command = program.command;
  const auto program_word = std::find_if(command.begin(), command.end(), [](const std::string& word) {
    return std::filesystem::path(word).filename().string().starts_with("postage-bench-");
  });
  const std::string files = fmt::format("--cachegrind-out-file={}/%p", folder.path().string());
  command.insert(program_word, {"valgrind", "--tool=cachegrind", "--cache-sim=yes", files});
  static_cast<void>(
      run_with(command, {"bandwidth-distinct-buffers", std::to_string(bytes), fmt::format("x{}", windows)}));
  return misses_in(folder.path());
}

}  // namespace

std::string run_with(std::vector<std::string> command, std::initializer_list<std::string> further) {
  command.insert(command.end(), further);
  return run_command(command, kTimeLimit);
}

std::vector<CacheMisses> simulate_cache_misses(const std::vector<BenchProgram>& programs) {
  constexpr int kFew = 2;
  constexpr int kMore = 6;
  // Two starts differ by a few misses of their own, also downwards.
  const auto per_message = [&](double few, double more) { return std::max(more - few, 0.0) / ((kMore - kFew) * 64); };
  std::vector<CacheMisses> all;
  for (const Bytes bytes : {Bytes{1} << 10, Bytes{16} << 10, Bytes{256} << 10}) {
    for (const BenchProgram& program : programs) {
      if (program.name != kLimits && program.name != kShmSingleCopy && program.name != kShmSkewAware) {
        const auto few = simulate_windows(program, bytes, kFew);
        const auto more = simulate_windows(program, bytes, kMore);
        all.push_back({program.name, bytes, per_message(few.first, more.first), per_message(few.second, more.second)});
      }
    }
  }
  return all;
}

}  // namespace postage
