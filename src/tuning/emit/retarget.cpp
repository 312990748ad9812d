#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>
#include <postage/tuning/retarget.hpp>

#include <fmt/format.h>

#include <initializer_list>
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

/// The first word of `text` behind one of `marks` that is a release.
std::optional<LibraryVersion> version_behind(const std::string& text, std::initializer_list<std::string_view> marks) {
  for (const std::string_view mark : marks) {
    const auto at = text.find(mark);
    const auto first = at == std::string::npos ? at : text.find_first_not_of(" \t", at + mark.size());
    if (first == std::string::npos) {
      continue;
    }
    try {
      return parse_library_version(text.substr(first, text.find_first_of(" \t\n", first) - first));
    } catch (const UsageError&) {
      continue;
    }
  }
  return std::nullopt;
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
  const auto launcher = find_in_path(is_open_mpi ? "mpirun.openmpi" : "mpirun.mpich");
  if (launcher.empty()) {
    return std::nullopt;
  }
  try {
    const std::string said = run_command({launcher.string(), "--version"}, 20);
    return is_open_mpi ? version_behind(said, {"(Open MPI)", "(OpenRTE)"}) : version_behind(said, {"Version:"});
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace postage
