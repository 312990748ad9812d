#include "cli/options/benchmark_options.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/samples/benchmark_tables.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace postage {
namespace {

/// LEVEL=FILE; inter-node where there is no level.
std::pair<std::string, std::string> level_and_file(const std::string& word) {
  const std::size_t equals = word.find('=');
  const bool has_level = equals != std::string::npos && word.find('/') > equals;
  return has_level ? std::pair(word.substr(0, equals), word.substr(equals + 1))
                   : std::pair(std::string(kInterNode), word);
}

using Parse = std::vector<BenchmarkTable> (*)(std::string_view, const std::string&);

void append(const std::vector<std::string>& words, Parse parse, std::vector<LevelTable>& tables) {
  for (const std::string& word : words) {
    const auto [level, file] = level_and_file(word);
    for (BenchmarkTable& table : parse(read_file(file), file)) {
      tables.push_back({level, std::move(table)});
    }
  }
}

/// Cores of a node: the largest number that the levels name.
std::int64_t cores_in(const std::string& levels) {
  std::int64_t cores = 1;
  std::istringstream list(levels);
  for (std::string level; std::getline(list, level, ',');) {
    if (const std::size_t colon = level.find(':'); colon != std::string::npos) {
      cores = std::max<std::int64_t>(cores, std::atoll(level.c_str() + colon + 1));
    }
  }
  return cores;
}

std::vector<ChannelLevel> levels_of(const BenchmarkOptions& options, const std::vector<LevelTable>& tables) {
  if (!options.levels.empty()) {
    return parse_levels(options.levels, cores_in(options.levels));
  }
  for (const LevelTable& table : tables) {
    if (table.level != kInterNode) {
      throw UsageError(fmt::format("{} is of the level {}: say which cores it joins, like --levels {}:8,{}",
                                   table.table.source, table.level,
                                   table.level == kInterNode ? kSharedCache : table.level, kInterNode));
    }
  }
  return {{kInterNode}};
}

}  // namespace

void add_benchmark_options(Command& command, BenchmarkOptions& options) {
  command
      .option("--osu", options.osu,
              "Instead of samples: what osu_latency and osu_bw printed between two nodes, or over another level as "
              "LEVEL=FILE; may be repeated")
      .one_at_a_time();
  command.option("--imb", options.imb, "The same of what IMB-MPI1 PingPong printed").one_at_a_time();
  command.option("--levels", options.levels,
                 "Of --osu and --imb: the levels, nearest first, each with the number of consecutive cores that it "
                 "joins, like shared-cache:8,inter-node");
}

SampleSet benchmark_samples(const BenchmarkOptions& options) {
  std::vector<LevelTable> tables;
  append(options.osu, parse_osu, tables);
  append(options.imb, parse_imb, tables);
  return samples_of(tables, levels_of(options, tables));
}

}  // namespace postage
