#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postage::preload {

enum class Replacing : int { kNothing, kWhereFaster, kAlways };

/// A variable that is wrong.
struct Complaint {
  std::string wrong;    ///< which, its value, and what would be right
  std::string instead;  ///< what the preload library does about it
};

/// What the environment asks the preload library for.
struct Settings {
  Replacing replacing = Replacing::kWhereFaster;  ///< POSTAGE_PRELOAD
  bool probes = true;                             ///< POSTAGE_PROBES
  bool prints_statistics = false;                 ///< POSTAGE_STATS
  std::optional<std::string> statistics_file{};   ///< POSTAGE_STATS_JSON
  std::optional<std::string> trace_file{};        ///< POSTAGE_TRACE
  std::string decisions_file{};                   ///< POSTAGE_DECISIONS; empty: none
  std::vector<std::string> schedule_files{};      ///< POSTAGE_SCHEDULES
  /// For tests: how many hardware threads the ranks of a node are to take for theirs; 0: as many as there are.
  std::int64_t pretended_cores = 0;
  /// For tests: which node each rank of MPI_COMM_WORLD is to take for its own; 0 where the list ends.
  std::vector<std::int64_t> pretended_nodes{};
  /// For tests: the microseconds that every call of this rank is to take by the library, through slots and by single
  /// copy; 0, or none: what it takes.
  std::vector<std::int64_t> pretended_times{};
  /// One for each variable whose value is none of its own, and for each name that is nearly one of ours.
  std::vector<Complaint> complaints{};

  [[nodiscard]] bool want_statistics() const { return prints_statistics || statistics_file; }
  [[nodiscard]] bool want_observer() const { return want_statistics() || trace_file; }
};

/// Of an environment: a list of NAME=VALUE that ends with nullptr. A variable without a value counts as not set.
[[nodiscard]] Settings settings_in(const char* const* environment);

/// Nothing where the file can be written; otherwise why not.
[[nodiscard]] std::optional<std::string> why_unwritable(const std::string& file);

}  // namespace postage::preload
