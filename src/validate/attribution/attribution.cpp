#include "validate/attribution/candidates.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/schedule/prefix.hpp>
#include <postage/validate/attribution.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace postage {
namespace {

/// Parameters are searched for between so many times less and more.
constexpr double kMostTimes = 64;
/// Candidates beyond the best ones by their first-order effect are not searched.
constexpr std::size_t kSearched = 6;
/// Changes whose directions are this close, and rests that differ by less than this factor, are not told apart.
constexpr double kSameDirection = 0.995;
constexpr double kSameRest = 1.5;

bool is_timed(const Measurement& m, Collective collective) {
  const Experiment& e = m.experiment;
  return e.kind == ExperimentKind::kCollective && e.collective == name_of(collective) && m.summary.median > 0 &&
         e.stride == 0 && e.algorithm != kLibraryAlgorithm;
}

/// (measured - predicted)/measured.
std::vector<double> relative_errors(const std::vector<TimedCollective>& all, const std::vector<Seconds>& predicted) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < all.size(); ++i) {
    errors.push_back(1 - predicted[i] / all[i].measured);
  }
  return errors;
}

double sum_of_squares(const std::vector<double>& values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// What one change, at its best, does.
struct FittedCause {
  Cause cause;
  std::vector<double> effect;  ///< on relative errors
  double rest = 0;
};

/// Least squares of one quantity.
class CauseFit {
 public:
  explicit CauseFit(const std::vector<TimedCollective>& all) : all_(all) {
    std::vector<Seconds> predicted;
    for (const TimedCollective& one : all) {
      predicted.push_back(one.predicted);
    }
    errors_ = relative_errors(all, predicted);
    whole_ = sum_of_squares(errors_);
  }

  [[nodiscard]] double squared_error() const { return whole_ / static_cast<double>(all_.size()); }

  [[nodiscard]] FittedCause linear(const CauseCandidate& candidate) const {
    std::vector<double> direction;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      direction.push_back(candidate.quantities[i] / all_[i].measured);
    }
    const double length = sum_of_squares(direction);
    const double along = std::inner_product(direction.begin(), direction.end(), errors_.begin(), 0.0);
    const double amount = length > 0 ? along / length : 0;
    std::transform(direction.begin(), direction.end(), direction.begin(), [&](double d) { return d * amount; });
    return finished(candidate, candidate.kind == CauseKind::kMissing ? amount : 1 + amount, std::move(direction));
  }

  /// Of a parameter: the factor itself, since what it does need not be proportional.
  [[nodiscard]] FittedCause searched(const CauseCandidate& candidate) const {
    const auto rest_at = [&](double log_factor) {
      return sum_of_squares(relative_errors(all_, candidate.predict(std::exp(log_factor))));
    };
    const double most = std::log(kMostTimes);
    double best = 0;
    double least = whole_;
    for (double step = most / 4; step > 0.01; step /= 2) {
      for (const double to : {best - 2 * step, best - step, best + step, best + 2 * step}) {
        const double rest = std::abs(to) <= most ? rest_at(to) : least;
        if (rest < least) {
          least = rest;
          best = to;
        }
      }
    }
    std::vector<double> effect = relative_errors(all_, candidate.predict(std::exp(best)));
    std::transform(errors_.begin(), errors_.end(), effect.begin(), effect.begin(), std::minus<>());
    return finished(candidate, std::exp(best), std::move(effect));
  }

 private:
  [[nodiscard]] FittedCause finished(const CauseCandidate& candidate, double factor, std::vector<double> effect) const {
    double rest = 0;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      rest += (errors_[i] - effect[i]) * (errors_[i] - effect[i]);
    }
    FittedCause fitted{{.kind = candidate.kind, .term = candidate.term, .factor = factor}, std::move(effect), rest};
    fitted.cause.explained = whole_ > 0 ? std::max(1 - rest / whole_, 0.0) : 0;
    fitted.cause.change = candidate.kind == CauseKind::kMissing
                              ? fmt::format("{}{} more for each {}", factor < 0 ? "-" : "",
                                            format_seconds(std::abs(factor)), candidate.unit)
                              : fmt::format("{:.3g} times", factor);
    return fitted;
  }

  const std::vector<TimedCollective>& all_;
  std::vector<double> errors_;
  double whole_ = 0;
};

bool are_alike(const FittedCause& a, const FittedCause& b) {
  const double dot = std::inner_product(a.effect.begin(), a.effect.end(), b.effect.begin(), 0.0);
  const double lengths = std::sqrt(sum_of_squares(a.effect) * sum_of_squares(b.effect));
  return (lengths > 0 && dot > kSameDirection * lengths) || b.rest <= kSameRest * a.rest;
}

/// The best first; searched parameters in the place of their first-order ones.
std::vector<Cause> fit_causes(const CauseFit& fit, const std::vector<CauseCandidate>& candidates) {
  std::vector<std::pair<FittedCause, const CauseCandidate*>> fitted;
  for (const CauseCandidate& candidate : candidates) {
    fitted.emplace_back(fit.linear(candidate), &candidate);
  }
  const auto by_rest = [](const auto& a, const auto& b) { return a.first.rest < b.first.rest; };
  std::stable_sort(fitted.begin(), fitted.end(), by_rest);
  std::size_t searched = 0;
  for (auto& [cause, candidate] : fitted) {
    if (candidate->predict && searched++ < kSearched) {
      cause = fit.searched(*candidate);
    }
  }
  std::stable_sort(fitted.begin(), fitted.end(), by_rest);
  std::vector<Cause> causes;
  for (auto& [cause, candidate] : fitted) {
    cause.cause.like_first = !causes.empty() && are_alike(fitted.front().first, cause);
    causes.push_back(cause.cause);
  }
  return causes;
}

/// Those of one run that were stopped after some of its steps, by the number of these; its own time last.
using Prefixes = std::map<Index, Seconds>;

void add_steps(const std::map<std::string, std::pair<CollectiveRun, Prefixes>>& stopped,
               const std::function<Seconds(const Schedule&)>& predict_one, Attribution& attribution) {
  const auto most = std::max_element(stopped.begin(), stopped.end(), [](const auto& a, const auto& b) {
    return a.second.second.size() < b.second.second.size();
  });
  if (most == stopped.end() || most->second.second.size() < 2) {
    return;
  }
  const auto& [run, times] = most->second;
  const Schedule schedule = schedule_of(run, run.ranks);
  Seconds measured_before = 0;
  Seconds predicted_before = 0;
  for (const auto& [steps, measured] : times) {
    const Seconds predicted = predict_one(first_steps(schedule, steps));
    attribution.steps.push_back(
        {step_name(schedule, steps - 1), measured - measured_before, predicted - predicted_before});
    measured_before = measured;
    predicted_before = predicted;
  }
  attribution.steps_of = most->first;
}

std::string name_of_run(const CollectiveRun& run) {
  std::string text =
      fmt::format("{} {}, P = {}, {}", name_of(run.collective), run.algorithm, run.ranks, format_bytes(run.bytes));
  text += run.segment_bytes > 0 ? fmt::format(", segments of {}", format_bytes(run.segment_bytes)) : "";
  text += run.root > 0 ? fmt::format(", root {}", run.root) : "";
  return text;
}

}  // namespace

std::vector<std::string> timed_algorithms(const SampleSet& samples, Collective collective) {
  std::set<std::string> names;
  for (const Measurement& m : samples.measurements) {
    if (is_timed(m, collective)) {
      names.insert(m.experiment.algorithm);
    }
  }
  return {names.begin(), names.end()};
}

Attribution attribute_errors(const SampleSet& samples, Collective collective, std::string_view algorithm,
                             const PlatformModel& model, std::optional<Evaluator> evaluator) {
  Attribution attribution;
  const auto predict_by = [&](const Schedule& schedule, const PlatformModel& by) {
    return evaluate(evaluator ? *evaluator : choose_evaluator(schedule, by.channels(), by.model()), schedule,
                    by.channels(), by.model());
  };
  const auto predict_one = [&](const Schedule& schedule) { return predict_by(schedule, model); };
  std::map<std::string, std::pair<CollectiveRun, Prefixes>> stopped;
  for (const Measurement& m : samples.measurements) {
    if (!is_timed(m, collective) || m.experiment.algorithm != algorithm) {
      continue;
    }
    CollectiveRun run = collective_run_of(m.experiment);
    Schedule schedule = schedule_of(run, run.ranks);
    const bool is_whole = run.steps == 0;
    const Index steps = is_whole ? step_count(schedule) : run.steps;
    run.steps = 0;
    const std::string name = name_of_run(run);
    stopped.try_emplace(name, run, Prefixes{}).first->second.second[steps] = m.summary.median;
    if (is_whole) {
      const Seconds predicted = predict_one(schedule);
      attribution.collectives.push_back({name, std::move(schedule), m.summary.median, predicted});
    }
  }
  if (attribution.collectives.empty()) {
    throw UsageError(fmt::format("the samples have no {} {}; measure it with --collective {}:{}:64K",
                                 name_of(collective), algorithm, name_of(collective), algorithm));
  }
  const auto predict_all = [&](const PlatformModel& by) {
    std::vector<Seconds> all;
    for (const TimedCollective& one : attribution.collectives) {
      all.push_back(predict_by(one.schedule, by));
    }
    return all;
  };
  const CauseFit fit(attribution.collectives);
  attribution.squared_error = fit.squared_error();
  std::vector<CauseCandidate> candidates = parameter_candidates(attribution.collectives, model, predict_all);
  for (auto& more : {stage_candidates(attribution.collectives, predict_one),
                     missing_candidates(attribution.collectives, model.channels())}) {
    candidates.insert(candidates.end(), more.begin(), more.end());
  }
  attribution.causes = fit_causes(fit, candidates);
  add_steps(stopped, predict_one, attribution);
  return attribution;
}

}  // namespace postage
