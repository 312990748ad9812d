#include "validate/suite/simulated_platforms.hpp"

#include "validate/suite/calibration.hpp"
#include "validate/suite/library_points.hpp"
#include "validate/suite/points.hpp"
#include "validate/suite/prediction.hpp"
#include "validate/suite/simulation.hpp"

#include <postage/base/at_once.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <mutex>
#include <numeric>

namespace postage {
namespace {

void keep_inputs(const SuiteRun& run, const Platform& platform, const std::filesystem::path& folder) {
  const std::filesystem::path own = folder / fmt::format("{}-{}", run.platform, name_of(run.placement));
  static_cast<void>(files_of(run, own));
  write_platform(own / "platform.json", platform);
  write_file(own / "points", format_batch(run.points));
}

/// Calibrates, simulates and predicts all runs of one platform.
AccuracyReport run_platform(const std::vector<SuiteRun>& runs, const SuitePlan& plan, const SuiteLog& log) {
  const Platform platform = calibrate(runs.front());
  log.tell(fmt::format("{} is calibrated", platform.name));
  AccuracyReport report;
  report.platforms.emplace_back(runs.front().platform, runs.front().title);
  const std::string costly = tell_too_costly(runs);
  if (!costly.empty()) {
    report.left_out.push_back(costly);
  }
  const auto predict = [&](const SuiteRun& run, const std::vector<std::vector<double>>& times) {
    AccuracyReport own{.points = predict_run(run, platform, times)};
    log.tell(fmt::format("{}, {}: predicted", run.platform, name_of(run.placement)));
    if (plan.scale == SuiteScale::kFull && has_library_points(run)) {
      add_library_points(run, own.points, own);
      log.tell(fmt::format("{}: SMPI's own collectives are simulated", run.platform));
    }
    return own;
  };
  std::vector<std::future<AccuracyReport>> predicted;  // each while the next is simulated
  for (const SuiteRun& run : runs) {
    if (!plan.keep.empty()) {
      keep_inputs(run, platform, plan.keep);
    }
    auto times = simulate(run);
    log.tell(fmt::format("{}, {}: {} points are simulated", run.platform, name_of(run.placement), run.points.size()));
    predicted.push_back(std::async(std::launch::async, predict, std::cref(run), std::move(times)));
  }
  for (std::future<AccuracyReport>& own : predicted) {
    append(report, own.get());
  }
  return report;
}

using PlatformRuns = std::vector<SuiteRun>;

/// The suite's runs by platform, in its order.
std::vector<PlatformRuns> runs_by_platform(const SuitePlan& plan) {
  std::vector<PlatformRuns> platforms;
  for (SuiteRun& run : suite_runs(plan.platforms, plan.scale)) {
    if (platforms.empty() || platforms.back().front().platform != run.platform) {
      platforms.emplace_back();
    }
    platforms.back().push_back(std::move(run));
  }
  return platforms;
}

/// Indices of the platforms, those that take longest first.
std::vector<std::size_t> costliest_first(const std::vector<PlatformRuns>& platforms) {
  std::vector<std::size_t> order(platforms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto cost = [&](std::size_t i) {
    return std::accumulate(platforms[i].begin(), platforms[i].end(), 0.0,
                           [](double sum, const SuiteRun& run) { return sum + simulation_cost(run); });
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cost(a) > cost(b); });
  return order;
}

}  // namespace

void SuiteLog::tell(std::string_view what) const {
  if (plan_.tell) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    plan_.tell(fmt::format("{:.0f} s: {}", spent.count(), what));
  }
}

void add_simulated(const SuitePlan& plan, const SuiteLog& log, AccuracyReport& report) {
  const std::vector<PlatformRuns> platforms = runs_by_platform(plan);
  std::vector<AccuracyReport> results(platforms.size());
  std::mutex mutex;
  const auto keep = [&](std::size_t index, AccuracyReport result) {
    const std::lock_guard lock(mutex);
    results[index] = std::move(result);
    AccuracyReport all = report;
    for (const AccuracyReport& one : results) {
      append(all, one);
    }
    write_json(plan.output, to_json(all));
  };
  const std::vector<std::size_t> order = costliest_first(platforms);
  run_at_once(order.size(), [&](std::size_t i) { keep(order[i], run_platform(platforms[order[i]], plan, log)); });
  for (AccuracyReport& result : results) {
    append(report, std::move(result));
  }
}

}  // namespace postage
