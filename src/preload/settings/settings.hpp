#pragma once

#include <optional>
#include <string>
#include <vector>

namespace postage::preload {

enum class Replacing : int { kNothing, kWhereFaster, kAlways };

/// What the environment asks for.
struct Settings {
  Replacing replacing = Replacing::kWhereFaster;  ///< POSTAGE_PRELOAD
  bool probes = true;                             ///< POSTAGE_PROBES
  bool prints_statistics = false;                 ///< POSTAGE_STATS
  std::optional<std::string> statistics_file{};   ///< POSTAGE_STATS_JSON
  std::optional<std::string> trace_file{};        ///< POSTAGE_TRACE
  /// A sentence for each variable whose value is none of its own, and for each name that is nearly one of ours.
  std::vector<std::string> complaints{};

  [[nodiscard]] bool want_statistics() const { return prints_statistics || statistics_file; }
  [[nodiscard]] bool want_observer() const { return want_statistics() || trace_file; }
};

/// Of an environment: a list of NAME=VALUE that ends with nullptr. A variable without a value counts as not set.
[[nodiscard]] Settings settings_in(const char* const* environment);

/// Nothing where the file can be written; otherwise why not.
[[nodiscard]] std::optional<std::string> why_unwritable(const std::string& file);

/// This process's; from MPI_Init on those that all ranks of MPI_COMM_WORLD agree on.
[[nodiscard]] const Settings& settings();

/// Collective over MPI_COMM_WORLD, in MPI_Init, so that no rank does what others do not expect: of a variable that is
/// not the same on all ranks what asks for least holds. Rank 0 says so, and its complaints.
void agree_on_settings();

}  // namespace postage::preload
