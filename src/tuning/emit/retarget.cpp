#include <postage/platform/launcher_release.hpp>
#include <postage/tuning/retarget.hpp>

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace postage {
namespace {

const LibraryAlgorithm* same_schedule(const DecisionRule& rule, TuningTarget target, const LibraryVersion& version) {
  for (const LibraryAlgorithm& row : library_algorithms(target)) {
    const bool is_known = row.since <= version && version < row.before;
    if (is_known && row.collective == rule.collective && !row.ours.empty() && row.ours == rule.choice.algorithm) {
      return &row;
    }
  }
  return nullptr;
}

std::string reason_to_drop(const DecisionRule& rule, const LibraryAlgorithm* row, TuningTarget target,
                           const LibraryVersion& version) {
  if (row == nullptr) {
    return fmt::format("{} {} has no {} of {}", name_of(target), format_version(version), rule.choice.algorithm,
                       name_of(rule.collective));
  }
  if (rule.choice.segment != 0 && !row->takes_segment && row->fixed_segment != rule.choice.segment) {
    return fmt::format("{} {} does not cut {} of {} into segments", name_of(target), format_version(version), row->name,
                       name_of(rule.collective));
  }
  return "";
}

}  // namespace

DecisionTable retarget(const DecisionTable& table, TuningTarget target, const LibraryVersion& version) {
  if (table.target() == target && table.version() == version) {
    return table;
  }
  std::vector<DecisionRule> rules;
  std::vector<DroppedRule> dropped = table.dropped;
  for (DecisionRule rule : table.rules()) {
    const LibraryAlgorithm* const row = same_schedule(rule, target, version);
    if (std::string reason = reason_to_drop(rule, row, target, version); !reason.empty()) {
      dropped.push_back({std::move(rule), std::move(reason)});
      continue;
    }
    rule.choice.library_name = row->name;
    rules.push_back(std::move(rule));
  }
  DecisionTable other(target, version, std::move(rules));
  other.platform = table.platform;
  other.created = table.created;
  other.dropped = std::move(dropped);
  return other;
}

std::optional<LibraryVersion> installed_version(TuningTarget target) {
  const bool is_open_mpi = target == TuningTarget::kOpenMpi;
  if (!is_open_mpi && target != TuningTarget::kMpich) {
    return std::nullopt;
  }
  const LauncherRelease release = release_of(is_open_mpi ? "mpirun.openmpi" : "mpirun.mpich");
  if (release.library != (is_open_mpi ? "Open MPI" : "MPICH")) {
    return std::nullopt;
  }
  return parse_library_version(release.version);
}

}  // namespace postage
