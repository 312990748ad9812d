#include "cli/tuning/tune_options.hpp"

#include <postage/base/error.hpp>
#include <postage/base/units.hpp>
#include <postage/launch/random_platform.hpp>
#include <postage/launch/virtual_cluster.hpp>
#include <postage/tuning/emit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

namespace postage {
namespace {

std::vector<std::string> split_list(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, ',');) {
    words.push_back(word);
  }
  return words;
}

/// Of libraries that are not here: recent releases.
LibraryVersion usual_version(TuningTarget target) {
  static const std::map<TuningTarget, LibraryVersion> usual{
      {TuningTarget::kOpenMpi, {5, 0, 7}},      {TuningTarget::kMpich, {4, 2, 0}}, {TuningTarget::kUcc, {1, 3, 0}},
      {TuningTarget::kIntelMpi, {2021, 10, 0}}, {TuningTarget::kSmpi, {3, 32, 0}}, {TuningTarget::kPreload, {}}};
  return usual.at(target);
}

std::vector<std::int32_t> parse_counts_list(const char* option, const std::string& text) {
  std::vector<std::int32_t> counts;
  for (const std::string& word : split_list(text)) {
    std::istringstream in(word);
    std::int32_t count = 0;
    if (!(in >> count) || !in.eof() || count < 1) {
      throw UsageError(
          fmt::format("{}: '{}' is not a number of at least 1, or several with commas between", option, word));
    }
    counts.push_back(count);
  }
  return counts;
}

/// A library that --for names, with the release where it names one.
struct NamedTarget {
  TuningTarget target;
  std::optional<LibraryVersion> version;
};

std::vector<NamedTarget> parse_targets(const std::string& text) {
  std::vector<NamedTarget> named;
  for (const std::string& word : split_list(text)) {
    const std::size_t colon = word.find_first_of("@:");
    const TuningTarget target = parse_tuning_target(word.substr(0, colon));
    if (std::any_of(named.begin(), named.end(), [&](const NamedTarget& other) { return other.target == target; })) {
      throw UsageError(
          fmt::format("--for names {} twice; tune each release into a folder of its own", name_of(target)));
    }
    named.push_back({target, {}});
    if (colon != std::string::npos) {
      named.back().version = parse_library_version(word.substr(colon + 1));
    }
  }
  return named;
}

/// Of a release that reads no files that are known there is nothing to decide for. Those of SMPI and of the preload
/// library read none.
void check_release(const LibraryRelease& release) {
  if (release.target != TuningTarget::kSmpi && release.target != TuningTarget::kPreload) {
    const DecisionTable nothing(release.target, release.version, {});
    static_cast<void>(emit({&nothing, 1}));
  }
}

/// A name that --virtual takes; a platform may also have one of its own.
bool is_simulated_cluster(const std::string& name) {
  try {
    return seed_of(name) || !find_virtual_cluster(name).name.empty();
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

void check_tune_options(const TuneOptions& options) {
  if (options.launch.shm) {
    throw UsageError("--shm is no library whose algorithms can be chosen: leave it out");
  }
  for (const NamedTarget& named : parse_targets(options.targets)) {
    if (named.version) {
      check_release({named.target, *named.version});
    }
  }
  static_cast<void>(collectives_of(options));
  static_cast<void>(parse_sizes(options.sizes));
  if (parse_seconds(options.tuning_budget) <= 0) {
    throw UsageError(fmt::format("--tuning-budget: '{}' is no time to measure in; write it like 60s or 5min",
                                 options.tuning_budget));
  }
  static_cast<void>(parse_counts_list("--nodes", options.nodes));
  static_cast<void>(parse_counts_list("--per-node", options.per_node));
}

void check_cluster(const TuneOptions& options, const Platform& platform) {
  const std::string& name = options.launch.virtual_name;
  if (name.empty()) {
    return;
  }
  if (!platform.is_virtual) {
    throw UsageError(
        fmt::format("{} is of real hosts, and --virtual {} of none: leave one of them out", options.platform, name));
  }
  if (platform.name != name && is_simulated_cluster(platform.name)) {
    throw UsageError(fmt::format("{} is of {}, and --virtual {} is another cluster: give its own platform file",
                                 options.platform, platform.name, name));
  }
}

void check_mpi(const TuneOptions& options, const Platform& platform) {
  const std::string& mpi = options.launch.mpi;
  const std::optional<LibraryRelease> measured = library_of(platform.implementation);
  const bool is_named = mpi == name_of(TuningTarget::kOpenMpi) || mpi == name_of(TuningTarget::kMpich);
  if (is_named && measured && measured->target != TuningTarget::kSmpi && name_of(measured->target) != mpi) {
    throw UsageError(
        fmt::format("{} was measured with {}, and --mpi {} starts another MPI: give a platform file of postage measure "
                    "--mpi {}",
                    options.platform, platform.implementation, mpi, mpi));
  }
}

std::vector<LibraryRelease> wanted_targets(const TuneOptions& options, const Platform& platform) {
  const std::optional<LibraryRelease> found = library_of(platform.implementation);
  if (options.targets.empty()) {
    if (!found) {
      throw UsageError(
          fmt::format("'{}', with which {} was measured, is none of Open MPI, MPICH, Intel MPI and SMPI; --for "
                      "openmpi:5.0.7 and the "
                      "like decide for one of these by prediction",
                      platform.implementation, platform.name));
    }
    check_release(*found);
    return {*found};
  }
  std::vector<LibraryRelease> wanted;
  for (const NamedTarget& named : parse_targets(options.targets)) {
    const bool is_here = found && found->target == named.target;
    wanted.push_back({named.target, named.version.value_or(is_here ? found->version : usual_version(named.target))});
    check_release(wanted.back());
  }
  return wanted;
}

std::vector<TuningJob> jobs_of(const TuneOptions& options, const Platform& platform) {
  std::map<int, std::int32_t> ranks_on;
  for (const RankPlacement& placement : platform.ranks) {
    ++ranks_on[placement.node];
  }
  std::int32_t measured_per_node = 1;
  for (const auto& [node, ranks] : ranks_on) {
    measured_per_node = std::max(measured_per_node, ranks);
  }
  const auto measured_nodes = std::max<std::int32_t>(1, static_cast<std::int32_t>(ranks_on.size()));
  const std::vector<std::int32_t> nodes =
      options.nodes.empty() ? std::vector{measured_nodes} : parse_counts_list("--nodes", options.nodes);
  std::vector<std::int32_t> per_node =
      options.per_node.empty() ? std::vector{measured_per_node} : parse_counts_list("--per-node", options.per_node);
  std::vector<TuningJob> jobs;
  for (const std::int32_t each : per_node) {
    jobs.push_back({*std::max_element(nodes.begin(), nodes.end()), each});
    if (jobs.back().ranks() < 2) {
      throw UsageError("one rank has nobody to talk to; give --nodes or --per-node above 1");
    }
  }
  return jobs;
}

std::vector<Collective> collectives_of(const TuneOptions& options) {
  if (options.collectives != "all") {
    std::vector<Collective> chosen;
    for (const std::string& word : split_list(options.collectives)) {
      const Collective collective = parse_collective(word);
      if (std::find(chosen.begin(), chosen.end(), collective) != chosen.end()) {
        throw UsageError(fmt::format("--collectives names {} twice", word));
      }
      chosen.push_back(collective);
    }
    if (chosen.empty()) {
      throw UsageError("--collectives names none; write them like bcast,allreduce, or all");
    }
    return chosen;
  }
  using enum Collective;
  return {kBarrier, kBcast, kReduce, kAllreduce, kGather, kScatter, kAllgather, kAlltoall, kReduceScatter};
}

}  // namespace postage
