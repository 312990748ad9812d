#pragma once

#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/base/units.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace postage {

/// One collective at one size: the library's own call beside that of the preload library, each in turn.
struct PreloadGain {
  std::string collective;
  Bytes bytes = 0;
  Seconds library_seconds = 0;   ///< median
  Seconds replaced_seconds = 0;  ///< median
  double speedup = 1;            ///< median of the ratios of the pairs, the library's time over ours
  Interval interval{};           ///< of that median, at 95 %; all pairs where there are few
  bool operator==(const PreloadGain&) const = default;

  /// Speed-ups from this to its inverse are none.
  static constexpr double kAsFast = 0.98;
  [[nodiscard]] bool is_faster() const { return interval.lower > 1 / kAsFast; }
  [[nodiscard]] bool is_slower() const { return interval.upper < kAsFast; }
};

/// What the preload library gains on a machine.
struct PreloadGains {
  std::string library;  ///< "openmpi" or "mpich"
  std::string host;
  int ranks = 0;
  std::vector<PreloadGain> cells;
  bool operator==(const PreloadGains&) const = default;
};

inline constexpr int kPreloadGainsVersion = 1;
inline constexpr const char* kPreloadGainsFormat = "postage-preload-gains";

[[nodiscard]] Json to_json(const PreloadGains& gains);
/// Throws Error naming `source` and the first field that is missing or wrong.
[[nodiscard]] PreloadGains preload_gains_from_json(const Json& value, const std::filesystem::path& source);

/// Reads what postage-bench-preload-* prints: a line a cell, "allreduce 64 5000 REPLACED:LIBRARY ...", nanoseconds.
/// Throws Error naming a line that is none.
[[nodiscard]] std::vector<PreloadGain> parse_preload_gains(const std::string& lines);

}  // namespace postage
