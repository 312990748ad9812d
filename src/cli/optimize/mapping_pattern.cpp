#include "cli/optimize/mapping_options.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/text.hpp>
#include <postage/platform/host_list.hpp>
#include <postage/predict/traces/goal.hpp>
#include <postage/predict/traces/recording.hpp>

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

namespace postage {
namespace {

constexpr const char* kPatterns =
    "ring, 2d-halo, 3d-halo (or 2d-halo:16x8), alltoall, a file in GOAL or recorded with POSTAGE_TRACE, or collectives "
    "like allreduce,bcast:binomial";

std::vector<Rank> parse_lengths(const std::string& pattern, const std::string& text, std::size_t dimensions) {
  std::vector<Rank> lengths;
  for (const std::string_view word : split_at(text, 'x')) {
    Rank length = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), length);
    if (error != std::errc() || stop != word.data() + word.size() || length < 1) {
      throw UsageError(
          fmt::format("--pattern {}: '{}' is no side of a grid; write it like 2d-halo:16x8", pattern, word));
    }
    lengths.push_back(length);
  }
  if (lengths.size() != dimensions) {
    throw UsageError(
        fmt::format("--pattern {}: a grid of {} dimensions has {} sides", pattern, dimensions, dimensions));
  }
  return lengths;
}

Communication halo(const std::string& pattern, Rank slots, Bytes bytes) {
  const int dimensions = pattern[0] - '0';
  const auto colon = pattern.find(':');
  const std::vector<Rank> lengths = colon == std::string::npos ? grid_lengths(slots, dimensions)
                                                               : parse_lengths(pattern, pattern.substr(colon + 1),
                                                                               static_cast<std::size_t>(dimensions));
  std::int64_t ranks = 1;
  for (const Rank length : lengths) {
    ranks *= length;
    if (ranks > slots) {
      throw UsageError(
          fmt::format("--pattern {} has more ranks than the {} that --nodes and --per-node give", pattern, slots));
    }
  }
  if (ranks < slots) {
    throw UsageError(
        fmt::format("--pattern {} has {} ranks, but --nodes and --per-node give {}", pattern, ranks, slots));
  }
  return halo_communication(lengths, bytes);
}

Trace read_pattern_trace(const std::string& path, Rank slots) {
  const std::string text = read_file(path);
  Trace trace;
  try {
    trace = is_recording(text) ? trace_of(read_recording(text)) : read_goal(text);
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
  if (trace.ranks.size() > static_cast<std::size_t>(slots)) {
    throw UsageError(
        fmt::format("{} has {} ranks, but --nodes and --per-node give slots for {}", path, trace.ranks.size(), slots));
  }
  return trace;
}

/// "bcast:binomial", or "bcast".
Schedule schedule_asked_for(std::string_view word, Rank ranks, Bytes bytes, const PlatformModel& model) {
  const auto colon = word.find(':');
  const Collective collective = parse_collective(word.substr(0, colon));
  const ScheduleRequest request{.ranks = ranks, .bytes = collective == Collective::kBarrier ? 0 : bytes};
  if (colon != std::string_view::npos) {
    return build_schedule(find_algorithm(collective, word.substr(colon + 1)), request);
  }
  ComparisonRequest all{.algorithms = {}, .job = request};
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    all.algorithms.push_back(&algorithm);
  }
  return build_schedule(*rank_candidates(all, model).front().algorithm, request);
}

void add_collectives(const std::string& pattern, Rank ranks, Bytes bytes, const PlatformModel& model,
                     MappingTask& task) {
  for (const std::string_view word : split_at(pattern, ',')) {
    try {
      task.schedules.push_back(schedule_asked_for(word, ranks, bytes, model));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--pattern {}: {}; patterns are {}", pattern, error.what(), kPatterns));
    }
    Communication one = communication_of(task.schedules.back());
    task.communication.name += (task.communication.name.empty() ? "" : ", ") + one.name;
    std::ranges::move(one.phases, std::back_inserter(task.communication.phases));
  }
  task.communication.ranks = ranks;
}

void check_are_different(const std::vector<std::string>& hosts) {
  std::set<std::string> seen;
  for (const std::string& host : hosts) {
    if (!seen.insert(host).second) {
      throw UsageError(
          fmt::format("--hosts names {} twice; name each host once: --per-node says how many ranks it has", host));
    }
  }
}

}  // namespace

MappingTask mapping_task(const MappingAdviceOptions& options, Rank slots, const PlatformModel& model) {
  const std::string& pattern = options.pattern;
  MappingTask task{.limits = {.swaps = options.swaps, .seed = static_cast<std::uint64_t>(options.seed)}};
  if (std::filesystem::is_regular_file(pattern)) {
    if (!options.job.sizes.empty()) {
      throw UsageError(
          fmt::format("-m has no effect with the messages of {}, which have sizes: leave it out", pattern));
    }
    task.trace = read_pattern_trace(pattern, slots);
    task.communication = communication_of(*task.trace);
    task.communication.name = pattern;
    return task;
  }
  if (pattern.ends_with(".goal")) {
    throw UsageError(fmt::format("--pattern {}: there is no such file", pattern));
  }
  if (options.job.sizes.empty() && pattern != "barrier") {
    throw UsageError("the message size is missing: give -m SIZE, like -m 64K");
  }
  const Bytes bytes = options.job.sizes.empty() ? 0 : parse_bytes(options.job.sizes);
  if (pattern == "ring") {
    task.communication = ring_communication(slots, bytes);
  } else if (pattern.starts_with("2d-halo") || pattern.starts_with("3d-halo")) {
    task.communication = halo(pattern, slots, bytes);
  } else if (pattern == "alltoall") {
    task.communication = alltoall_communication(slots, bytes);
  } else {
    add_collectives(pattern, slots, bytes, model, task);
  }
  return task;
}

std::vector<Rank> todays_slots(const MappingAdviceOptions& options, Rank ranks) {
  const std::string& file = options.job.mapping.mapping;
  if (file.empty() || file == "block" || file == "cyclic") {
    return {};
  }
  const Mapping mapping = Mapping::from_file(file);
  const auto [nodes, per_node] = std::pair(options.job.mapping.nodes, options.job.mapping.per_node);
  if (mapping.capacity() != ranks) {
    throw UsageError(fmt::format("{} places {} ranks, but there are {}", file, mapping.capacity(), ranks));
  }
  std::vector<Rank> slot_of_rank;
  std::vector<bool> is_taken(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(per_node), false);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const RankPlacement placement = mapping.placement_of(rank);
    if (placement.node >= nodes || placement.core >= per_node) {
      throw UsageError(fmt::format("{} puts rank {} on slot {} of node {}, beyond --nodes {} and --per-node {}", file,
                                   rank, placement.core, placement.node, nodes, per_node));
    }
    slot_of_rank.push_back(placement.node * per_node + placement.core);
    is_taken[static_cast<std::size_t>(slot_of_rank.back())] = true;
  }
  for (std::size_t slot = 0; slot < is_taken.size(); ++slot) {
    if (!is_taken[slot]) {
      slot_of_rank.push_back(static_cast<Rank>(slot));
    }
  }
  return slot_of_rank;
}

std::vector<std::string> host_names(const MappingAdviceOptions& options, const Platform& platform) {
  const auto nodes = static_cast<std::size_t>(options.job.mapping.nodes);
  std::vector<std::string> names;
  if (options.hosts.empty()) {
    for (const Node& node : platform.nodes) {
      names.push_back(node.name);
    }
    return nodes <= names.size() && !platform.models.empty() ? names : std::vector<std::string>{};
  }
  if (!std::filesystem::is_regular_file(options.hosts)) {
    names = expand_host_list(options.hosts);
  } else {
    std::istringstream words(read_file(options.hosts));
    for (std::string word; words >> word;) {
      names.push_back(word.substr(0, word.find(':')));
    }
  }
  if (names.size() < nodes) {
    throw UsageError(fmt::format("--hosts names {} hosts, but --nodes is {}", names.size(), nodes));
  }
  check_are_different(names);
  return names;
}

}  // namespace postage
