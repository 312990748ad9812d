#include <postage/base/error.hpp>
#include <postage/samples/benchmark_tables.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace postage {
namespace {

using ValuesOfSizes = std::map<Bytes, BenchmarkTable::Row>;

/// Of one level: the last value of a size holds.
struct LevelTimes {
  ValuesOfSizes latencies{};
  ValuesOfSizes bandwidths{};
};

/// `relative` to either side of the time is what it was rounded by.
Measurement measured(Experiment experiment, Seconds seconds, double relative) {
  const std::vector<std::vector<double>> passes{{seconds}};
  Measurement measurement{.experiment = std::move(experiment),
                          .summary = summarise(passes, MeasureSettings{}.confidence),
                          .precise = true,
                          .passes = passes};
  measurement.summary.median_interval = {seconds * (1 - relative), seconds * (1 + relative)};
  return measurement;
}

double relative_rounding(const BenchmarkTable::Row& row) {
  return row.rounding / row.value;
}

/// Cores that the levels tell apart: of one cache, of one socket.
NodeTopology topology_of(const std::vector<ChannelLevel>& levels) {
  std::int64_t cores = 1;
  std::int64_t cache = 1;
  std::int64_t socket = 0;
  for (const ChannelLevel& level : levels) {
    if (level.channel == kInterNode) {
      continue;
    }
    cores = level.cores;
    cache = level.channel == kSharedCache ? level.cores : cache;
    socket = level.channel == kIntraSocket ? level.cores : socket;
    socket = level.channel == kInterSocket && socket == 0 ? cache : socket;
  }
  socket = socket == 0 ? cores : socket;
  NodeTopology topology;
  for (std::int64_t core = 0; core < cores; ++core) {
    topology.cores.push_back({.pu = static_cast<int>(core),
                              .socket = static_cast<int>(core / socket),
                              .numa = static_cast<int>(core / socket),
                              .cache = static_cast<int>(core / cache)});
  }
  return topology;
}

/// The first core, and for each level one that it joins with this one and no level before does.
std::vector<RankPlacement> ranks_of(const std::vector<ChannelLevel>& levels) {
  std::vector<RankPlacement> ranks{{0, 0}};
  std::int64_t joined = 1;
  for (const ChannelLevel& level : levels) {
    ranks.push_back(level.channel == kInterNode ? RankPlacement{1, 0} : RankPlacement{0, static_cast<int>(joined)});
    joined = level.cores;
  }
  return ranks;
}

/// Roundtrips; with bandwidths also trains, and the roundtrips with empty replies that these are compared with.
void add_measurements(const LevelTimes& times, std::int32_t target, SampleSet& samples) {
  const Seconds reply = times.latencies.begin()->second.value;
  for (const auto& [bytes, latency] : times.latencies) {
    const double rounded = relative_rounding(latency);
    const Experiment roundtrip{.source = 0, .target = target, .bytes = bytes, .reply_bytes = bytes};
    samples.measurements.push_back(measured(roundtrip, 2 * latency.value, rounded));
    const auto bandwidth = times.bandwidths.find(bytes);
    if (bytes == 0 || bandwidth == times.bandwidths.end() || bandwidth->second.value == 0) {
      continue;
    }
    const Experiment answered{.source = 0, .target = target, .bytes = bytes};
    samples.measurements.push_back(measured(answered, latency.value + reply, rounded));
    const Experiment train{.kind = ExperimentKind::kTrain,
                           .source = 0,
                           .target = target,
                           .bytes = bytes,
                           .messages = BenchmarkTable::kWindow};
    const Seconds window = BenchmarkTable::kWindow * static_cast<double>(bytes) / bandwidth->second.value;
    samples.measurements.push_back(measured(train, window, relative_rounding(bandwidth->second)));
  }
}

std::string names_of(const std::vector<ChannelLevel>& levels) {
  std::string names;
  for (const ChannelLevel& level : levels) {
    names += (names.empty() ? "" : ", ") + level.channel;
  }
  return names;
}

/// By level; what is of no use is named in `remarks`.
std::map<std::string, LevelTimes> sorted_by_level(const std::vector<LevelTable>& tables,
                                                  const std::vector<ChannelLevel>& levels,
                                                  std::vector<std::string>& remarks) {
  std::map<std::string, LevelTimes> sorted;
  for (const auto& [level, table] : tables) {
    if (std::none_of(levels.begin(), levels.end(), [&](const auto& one) { return one.channel == level; })) {
      throw UsageError(unknown_name(fmt::format("level of {}", table.source), level, names_of(levels)));
    }
    if (table.kind == BenchmarkTable::Kind::kOther) {
      remarks.push_back(
          fmt::format("{} of {} is not used: parameters are estimated from OSU's latency and bandwidth tests and from "
                      "IMB's PingPong",
                      table.name, table.source));
      continue;
    }
    if (table.rows.empty()) {
      throw UsageError(fmt::format("{}: {} has no lines with a size and a value", table.source, table.name));
    }
    LevelTimes& times = sorted[level];
    for (const BenchmarkTable::Row& row : table.rows) {
      (table.kind == BenchmarkTable::Kind::kLatency ? times.latencies : times.bandwidths)[row.bytes] = row;
    }
  }
  return sorted;
}

void check_channels(const std::vector<ChannelLevel>& levels) {
  constexpr std::int64_t most_cores = 65536;
  for (const ChannelLevel& level : levels) {
    if (level.channel != kInterNode && level.cores > most_cores) {
      throw UsageError(fmt::format("a node of {} cores ({}): at most {}", level.cores, level.channel, most_cores));
    }
    if (level.channel != kSharedCache && level.channel != kIntraSocket && level.channel != kInterSocket &&
        level.channel != kInterNode) {
      throw UsageError(unknown_name(
          "level", level.channel, fmt::format("{}, {}, {}, {}", kSharedCache, kIntraSocket, kInterSocket, kInterNode)));
    }
  }
  if (levels.empty() || levels.back().channel != kInterNode) {
    throw UsageError(fmt::format("the levels {} end with no {}, which joins the nodes", names_of(levels), kInterNode));
  }
}

}  // namespace

SampleSet samples_of(const std::vector<LevelTable>& tables, const std::vector<ChannelLevel>& levels) {
  check_channels(levels);
  SampleSet samples{.implementation = "unknown"};
  const std::map<std::string, LevelTimes> sorted = sorted_by_level(tables, levels, samples.remarks);
  samples.nodes = {{"node0", topology_of(levels)}, {"node1", topology_of(levels)}};
  samples.ranks = ranks_of(levels);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto found = sorted.find(levels[i].channel);
    if (found == sorted.end() || found->second.latencies.empty()) {
      throw UsageError(fmt::format(
          "no latencies of the level {}: give a table of osu_latency or of IMB PingPong over it", levels[i].channel));
    }
    add_measurements(found->second, static_cast<std::int32_t>(i + 1), samples);
  }
  samples.experiments = samples.measurements.size();
  return samples;
}

}  // namespace postage
