#include "job/count_places.hpp"
#include "job/schedule_file.hpp"
#include "job/unused_options.hpp"

#include <postage/base/error.hpp>
#include <postage/job/job.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace postage {
namespace {

bool has_parameter(const Algorithm& algorithm, const std::string& name) {
  return std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                     [&](const AlgorithmParameter& parameter) { return parameter.name == name; });
}

NodeMap node_map_of(const ChannelMap& map, Rank ranks) {
  if (map.is_single()) {
    throw UsageError("a node-aware composition needs nodes: give --platform FILE, or --nodes and --per-node");
  }
  return node_map_of(map.mapping(), ranks);
}

void refuse(bool is_given, const char* option, const char* reason) {
  if (is_given) {
    throw UsageError(fmt::format("{} is {}: leave it out", option, reason));
  }
}

/// Options of collectives say nothing about one message, and the other way round.
void check_what_is_sent(const JobOptions& options) {
  if (options.collective != "p2p") {
    refuse(options.source != 0 || options.target != 1, "--src or --dst", "of p2p messages");
    return;
  }
  constexpr auto kOfCollectives = "of collectives, and p2p is one message";
  refuse(options.algorithm != "all", "an algorithm", kOfCollectives);
  refuse(options.root != 0, "--root", kOfCollectives);
  refuse(!options.settings.empty(), "--set", kOfCollectives);
  refuse(options.node_aware.is_given(), "--within or --among", kOfCollectives);
  refuse(!options.schedule.empty(), "--schedule", kOfCollectives);
  static_cast<void>(given_evaluator(options));
}

}  // namespace

ParameterValues parse_settings(const std::vector<std::string>& settings) {
  ParameterValues values;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    const char* const end = setting.data() + setting.size();
    Index value = 0;
    const char* const digits = setting.data() + std::min(equals, setting.size() - 1) + 1;
    const auto [stop, error] = std::from_chars(digits, end, value);
    if (equals == std::string::npos || equals == 0 || error != std::errc() || stop != end) {
      throw UsageError(fmt::format("--set {}: give NAME=NUMBER, like radix=4", setting));
    }
    values[setting.substr(0, equals)] = value;
  }
  return values;
}

void take_counts(JobOptions& options) {
  if (!options.schedule.empty()) {
    take_schedule(options);
    return;
  }
  options.blocks = resolve_blocks(options.collective, options.counts, options.ranks);
  if (options.blocks.empty()) {
    return;
  }
  if (!options.sizes.empty()) {
    throw UsageError("--counts says how large the blocks are: leave out --size");
  }
  if (options.ranks == 0) {
    check_places(options.mapping, options.blocks);
  }
  options.ranks = options.blocks.ranks;
}

Collective collective_of(const JobOptions& options) {
  return parse_named_collective(options.collective).collective;
}

ScheduleRequest request_of(const JobOptions& options, Bytes bytes) {
  ScheduleRequest request{.ranks = options.ranks,
                          .root = options.root,
                          .bytes = collective_of(options) == Collective::kBarrier ? 0 : bytes,
                          .element_bytes = options.strides.parsed().run,
                          .segment_bytes = parse_bytes(options.segment),
                          .calls = parse_calls(options.calls)};
  set_blocks(options.blocks, request);
  return request;
}

Bytes message_bytes(const JobOptions& options, Bytes bytes) {
  return options.blocks.empty() ? bytes : options.blocks.largest();
}

Rank resolve_ranks(const JobOptions& options, const JobPlatform& platform) {
  check_what_is_sent(options);
  if (!platform.map.is_single()) {
    check_capacity(platform.map.mapping(), options.ranks);
  }
  if (options.ranks == 0 && !platform.map.is_single()) {
    constexpr std::int64_t kMostRanks = 1 << 30;
    const std::int64_t capacity = platform.map.mapping().capacity();
    if (capacity > kMostRanks) {
      throw UsageError(
          fmt::format("--nodes and --per-node have cores for {} ranks; give -P, at most {}", capacity, kMostRanks));
    }
    return static_cast<Rank>(capacity);
  }
  if (options.ranks == 0 && options.collective != "p2p") {
    throw UsageError("the number of ranks is missing: give -P N");
  }
  return options.ranks;
}

std::vector<Bytes> resolve_sizes(const JobOptions& options) {
  if (!options.blocks.empty()) {
    return {options.blocks.total()};
  }
  if (!options.sizes.empty()) {
    return parse_sizes(options.sizes);
  }
  if (options.collective == "barrier") {
    return {0};
  }
  throw UsageError("the message size is missing: give -m SIZE, like -m 64K or -m 1K:1M:x2");
}

void check_segments(const Algorithm& algorithm, Bytes segment) {
  if (segment > 0 && !algorithm.segmentable) {
    throw UsageError(
        fmt::format("{} {} sends whole messages: leave out --segment", name_of(algorithm.collective), algorithm.name));
  }
}

namespace {

std::vector<JobSchedule> named_schedules(const JobOptions& options, const ChannelMap& map, Bytes bytes) {
  if (options.tree) {
    return {schedule_from_file(options, bytes)};
  }
  const Collective collective = collective_of(options);
  ScheduleRequest request = request_of(options, bytes);
  const ParameterValues settings = parse_settings(options.settings);
  std::vector<JobSchedule> schedules;
  if (options.node_aware.is_given()) {
    Schedule schedule =
        node_aware_schedule(collective, request, node_map_of(map, options.ranks), parts_of(options.node_aware));
    schedules.push_back({schedule.algorithm, request.segment_bytes, std::move(schedule)});
    return schedules;
  }
  for (const Algorithm* algorithm : resolve_algorithms(options, collective)) {
    request.parameters = settings;
    if (options.algorithm == "all") {
      // A parameter of one algorithm is not an error of the others.
      std::erase_if(request.parameters, [&](const auto& setting) { return !has_parameter(*algorithm, setting.first); });
    }
    if (options.algorithm != "all") {
      check_segments(*algorithm, request.segment_bytes);
    }
    schedules.push_back({std::string(algorithm->name), algorithm->segmentable ? request.segment_bytes : 0,
                         build_schedule(*algorithm, request)});
  }
  return schedules;
}

}  // namespace

std::vector<JobSchedule> resolve_schedules(const JobOptions& options, const ChannelMap& map, Bytes bytes) {
  check_collective_options(options);
  std::vector<JobSchedule> schedules = named_schedules(options, map, bytes);
  for (JobSchedule& one : schedules) {
    one.schedule.calls = parse_calls(options.calls);
  }
  return schedules;
}

std::optional<Evaluator> given_evaluator(const JobOptions& options) {
  return options.evaluator == "auto" ? std::nullopt : std::optional(parse_evaluator(options.evaluator));
}

std::vector<const Algorithm*> resolve_algorithms(const JobOptions& options, Collective collective) {
  std::vector<const Algorithm*> chosen;
  if (options.algorithm != "all") {
    chosen.push_back(&find_algorithm(collective, options.algorithm));
    return chosen;
  }
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    if (can_do(algorithm, options.ranks)) {
      chosen.push_back(&algorithm);
    }
  }
  if (chosen.empty()) {
    throw UsageError(fmt::format("no {} algorithm supports this number of ranks", name_of(collective)));
  }
  return chosen;
}

}  // namespace postage
