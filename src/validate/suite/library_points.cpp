#include "validate/suite/library_points.hpp"

#include "validate/suite/simulation.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <optional>
#include <set>

namespace postage {
namespace {

/// Where SMPI's own collectives are run beside ours: one that shares nothing, one that does.
const std::set<std::string> kLibraryPlatforms{"flat16", "cluster64"};
/// SMPI's implementations choose segments and orders of their own: three sizes are enough to tell.
constexpr std::size_t kMostLibraryPoints = 12;

/// Those points of the run that SMPI has an implementation of this algorithm for: whole messages.
std::vector<std::size_t> points_of(const SuiteRun& run, const Algorithm& algorithm) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < run.points.size() && indices.size() < kMostLibraryPoints; ++i) {
    const CollectiveRun& point = run.points[i].run;
    if (point.collective == algorithm.collective && point.algorithm == algorithm.name && point.segment_bytes == 0) {
      indices.push_back(i);
    }
  }
  return indices;
}

/// What the points take with SMPI's implementation: nothing, and a sentence, for those with which it fails, as linear
/// gathers that synchronise do where messages are awaited.
std::vector<std::optional<double>> library_times(const SuiteRun& run, const Algorithm& algorithm,
                                                 std::vector<std::string>& left_out) {
  const std::string collective(name_of(algorithm.collective));
  const std::string library(algorithm.counterparts.smpi);
  std::vector<std::optional<double>> times;
  try {
    for (const std::vector<double>& list : simulate_library(run, collective, library)) {
      times.emplace_back(list.front());
    }
    return times;
  } catch (const Error& failure) {
    if (run.points.size() == 1) {
      const BatchPoint& point = run.points.front();
      left_out.push_back(fmt::format("SMPI's {} {} of {} with P = {} on {}: {}", collective, library,
                                     format_bytes(point.run.bytes), point.ranks, run.platform, failure.what()));
      return {std::nullopt};
    }
  }
  SuiteRun one = run;
  for (const BatchPoint& point : run.points) {
    one.points = {point};
    times.push_back(library_times(one, algorithm, left_out).front());
  }
  return times;
}

}  // namespace

bool has_library_points(const SuiteRun& run) {
  return kLibraryPlatforms.count(run.platform) > 0;
}

void add_library_points(const SuiteRun& run, const std::vector<AccuracyPoint>& points, AccuracyReport& report) {
  for (const Algorithm& algorithm : algorithms()) {
    const std::string library(algorithm.counterparts.smpi);
    const std::vector<std::size_t> indices = points_of(run, algorithm);
    if (library.empty() || indices.empty()) {
      continue;
    }
    SuiteRun some = run;
    some.points.clear();
    for (const std::size_t i : indices) {
      some.points.push_back(run.points[i]);
    }
    const auto times = library_times(some, algorithm, report.left_out);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (times[i]) {
        report.library_points.push_back({points[indices[i]], library, *times[i]});
      }
    }
  }
}

}  // namespace postage
