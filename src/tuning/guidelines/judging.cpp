#include <postage/tuning/guidelines.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace postage {
namespace {

using Times = std::map<TimedCall, const Measurement*>;

Times times_of(const SampleSet& samples) {
  Times times;
  for (const Measurement& measurement : samples.measurements) {
    if (measurement.experiment.kind == ExperimentKind::kCollective && measurement.summary.count > 0) {
      const CollectiveRun run = collective_run_of(measurement.experiment);
      if (run.is_library()) {
        times.emplace(TimedCall{run.collective, run.bytes}, &measurement);
      }
    }
  }
  return times;
}

/// Those of the check, the bounded call's first; empty where one is missing.
std::vector<const Measurement*> measurements_of(const GuidelineCheck& check, const Times& times) {
  std::vector<TimedCall> calls{check.bounded};
  calls.insert(calls.end(), check.bound.begin(), check.bound.end());
  std::vector<const Measurement*> found;
  for (const TimedCall& call : calls) {
    const auto at = times.find(call);
    if (at == times.end()) {
      return {};
    }
    found.push_back(at->second);
  }
  return found;
}

/// The factor in each pass in which all calls were made.
std::vector<double> factors_by_pass(const std::vector<const Measurement*>& calls, int times) {
  std::size_t passes = calls.front()->passes.size();
  for (const Measurement* call : calls) {
    passes = std::min(passes, call->passes.size());
  }
  std::vector<double> factors;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    double bound = 0;
    bool is_whole = true;
    for (std::size_t i = 0; i < calls.size() && is_whole; ++i) {
      is_whole = !calls[i]->passes[pass].empty();
      bound += i > 0 && is_whole ? times * median(calls[i]->passes[pass]) : 0;
    }
    if (is_whole && bound > 0) {
      factors.push_back(median(calls.front()->passes[pass]) / bound);
    }
  }
  return factors;
}

/// From the intervals of single times: wider than one of both together.
Interval interval_by_parts(const std::vector<const Measurement*>& calls, int times) {
  Interval bound;
  for (std::size_t i = 1; i < calls.size(); ++i) {
    bound.lower += times * calls[i]->summary.median_interval.lower;
    bound.upper += times * calls[i]->summary.median_interval.upper;
  }
  const Interval& bounded = calls.front()->summary.median_interval;
  return {bounded.lower / bound.upper, bounded.upper / bound.lower};
}

GuidelineResult judge_one(const GuidelineCheck& check, const std::vector<const Measurement*>& calls, double confidence,
                          double tolerance) {
  GuidelineResult result{.check = check, .bounded = calls.front()->summary.median};
  for (std::size_t i = 1; i < calls.size(); ++i) {
    result.bound += check.times * calls[i]->summary.median;
  }
  result.factor = result.bounded / result.bound;
  result.interval = interval_by_parts(calls, check.times);
  const std::vector<double> factors = factors_by_pass(calls, check.times);
  if (!factors.empty()) {
    const Interval paired = order_median_interval(factors, confidence);
    if (std::isfinite(paired.lower) && std::isfinite(paired.upper)) {
      result.factor = median(factors);
      result.interval = paired;
    }
  }
  result.violated = result.interval.lower > 1 + tolerance;
  return result;
}

std::string text_of(const TimedCall& call) {
  return fmt::format("{} of {}", name_of(call.collective), format_bytes(call.bytes));
}

}  // namespace

std::vector<GuidelineResult> judge(std::span<const GuidelineCheck> checks, const SampleSet& samples, double tolerance) {
  const Times times = times_of(samples);
  std::vector<GuidelineResult> results;
  for (const GuidelineCheck& check : checks) {
    const std::vector<const Measurement*> calls = measurements_of(check, times);
    if (!calls.empty()) {
      results.push_back(judge_one(check, calls, samples.settings.confidence, tolerance));
    }
  }
  return results;
}

std::string remedy_for(const GuidelineCheck& check, TuningTarget target, const LibraryVersion& version, Rank ranks) {
  if (check.schedule.empty() && check.bound.size() == 1 && check.bound.front().collective == check.bounded.collective) {
    return check.times > 1 ? fmt::format("{} messages of {}", check.times, format_bytes(check.bound.front().bytes))
                           : fmt::format("the algorithm that is used at {}", format_bytes(check.bound.front().bytes));
  }
  if (!check.schedule.empty()) {
    if (const LibraryAlgorithm* same =
            find_library_algorithm(target, version, check.bounded.collective, {}, check.schedule, ranks)) {
      return same->number >= 0 ? fmt::format("algorithm {} ({})", same->number, same->name)
                               : fmt::format("algorithm {}", same->name);
    }
  }
  std::vector<std::string> calls;
  for (const TimedCall& call : check.bound) {
    calls.push_back(text_of(call));
  }
  return fmt::format("{}", fmt::join(calls, ", then "));
}

Json to_json(const GuidelineResult& result) {
  Json bound = Json::array();
  for (const TimedCall& call : result.check.bound) {
    bound.push_back(Json{{"collective", name_of(call.collective)}, {"bytes", call.bytes}});
  }
  return Json{{"guideline", result.check.guideline}, {"collective", name_of(result.check.bounded.collective)},
              {"bytes", result.check.bounded.bytes}, {"bound", std::move(bound)},
              {"times", result.check.times},         {"seconds", result.bounded},
              {"bound_seconds", result.bound},       {"factor", result.factor},
              {"lower", result.interval.lower},      {"upper", result.interval.upper},
              {"violated", result.violated},         {"schedule", result.check.schedule}};
}

}  // namespace postage
