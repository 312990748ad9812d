#pragma once

#include <postage/validate/accuracy_report.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Seeds from the first to the last, both among them.
struct SeedRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// "17" or "1:12". Throws UsageError.
[[nodiscard]] SeedRange parse_seeds(const std::string& text);

/// What to run of the suite of random platforms.
struct RandomPlan {
  SeedRange seeds;
  std::size_t points = 60;  ///< of each platform, about: all algorithms of as many collectives, sizes and roots
  std::filesystem::path output = "accuracy.json";
  /// Files of earlier results, whose seeds are not run again.
  std::vector<std::string> earlier{};
  /// A folder for platform files, samples, simulated times and the simulator's input; empty keeps nothing. Samples and
  /// times that are there already are used as they are: models can be tried on them.
  std::filesystem::path keep{};
  std::function<void(const std::string&)> tell{};  ///< called with a sentence when a step is done
};

/// Measures each platform as `postage measure --virtual seed:N` does, then simulates collectives on all of its ranks
/// that nothing was fitted to, and predicts them. Platforms on which a step fails are left out, with the reason. Throws
/// Interrupted, and UsageError where earlier results have a platform twice.
[[nodiscard]] AccuracyReport run_random_suite(const RandomPlan& plan);

/// Which share of the points that have an interval of the model lies within it; and how many have one.
struct Coverage {
  std::size_t points = 0;
  double share = 0;
  double median_half_width = 0;  ///< of intervals: sqrt(upper/lower) - 1
};
[[nodiscard]] Coverage coverage_of(std::span<const AccuracyPoint> points, const std::string& model);

/// The family of a platform's points: that of its seed, from the name that random platforms have.
[[nodiscard]] std::string_view family_of(const AccuracyPoint& point);

}  // namespace postage
