#include "validate/suite/points.hpp"
#include "validate/suite/real_platforms.hpp"
#include "validate/suite/simulated_platforms.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/validate/suite.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

void add_real(const SuitePlan& plan, const SuiteLog& log, AccuracyReport& report) {
  for (const RealPlatform& platform : real_platforms()) {
    const auto& names = plan.platforms;
    const bool asked = std::find(names.begin(), names.end(), platform.name) != names.end();
    const bool wanted = asked || (names.empty() && plan.scale == SuiteScale::kFull);
    if (!wanted || has_platform(report, platform.name)) {
      continue;
    }
    log.tell(fmt::format("{}: measuring", platform.name));
    try {
      const RealResult result = run_real(platform, plan.keep);
      report.points.insert(report.points.end(), result.points.begin(), result.points.end());
      if (!result.left_out.empty()) {
        report.left_out.push_back(result.left_out);
      }
      report.platforms.emplace_back(platform.name, platform.title);
    } catch (const Error& reason) {
      report.left_out.push_back(fmt::format("{}: {}", platform.name, reason.what()));
    }
  }
}

/// Throws UsageError for names that no platform of the suite has.
void check_names(const SuitePlan& plan) {
  std::vector<std::string> known;
  for (const SuiteRun& run : suite_runs({}, plan.scale)) {
    if (known.empty() || known.back() != run.platform) {  // block and cyclic follow one another
      known.push_back(run.platform);
    }
  }
  for (const RealPlatform& platform : real_platforms()) {
    known.push_back(platform.name);
  }
  for (const std::string& name : plan.platforms) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UsageError(unknown_name("platform of the suite", name, fmt::format("{}", fmt::join(known, ", "))));
    }
  }
}

/// Simulated platforms that are asked for and not there yet.
std::vector<std::string> missing_virtual(const SuitePlan& plan, const AccuracyReport& report) {
  std::vector<std::string> names = plan.platforms;
  for (const RealPlatform& platform : real_platforms()) {
    names.erase(std::remove(names.begin(), names.end(), platform.name), names.end());
  }
  if (plan.platforms.empty()) {
    for (const SuiteRun& run : suite_runs({}, plan.scale)) {
      names.push_back(run.platform);
    }
  }
  const auto is_known = [&](const std::string& name) { return has_platform(report, name); };
  names.erase(std::remove_if(names.begin(), names.end(), is_known), names.end());
  return names;
}

}  // namespace

AccuracyReport run_accuracy_suite(const SuitePlan& plan) {
  check_names(plan);
  AccuracyReport report = read_reports(plan.earlier);
  if (plan.scale == SuiteScale::kQuick) {
    report.command = "postage validate --suite quick --page docs";
  }
  const SuiteLog log(plan);
  SuitePlan simulated = plan;
  simulated.platforms = missing_virtual(plan, report);
  if (!simulated.platforms.empty()) {
    add_simulated(simulated, log, report);
  }
  add_real(plan, log, report);
  write_json(plan.output, to_json(report));
  for (const RealPlatform& platform : real_platforms()) {
    report.real.push_back(platform.name);
  }
  return report;
}

}  // namespace postage
