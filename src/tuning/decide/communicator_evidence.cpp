#include "tuning/decide/communicator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

/// From so many pairs on the sign test must agree with the interval; fewer are of simulated times, which repeat.
constexpr std::size_t kPairsForSignTest = 8;
constexpr double kSignificance = 0.05;
/// Forcing an algorithm by a variable spares MPICH the search of its selection tree, 30 to 80 ns, which a tuning file
/// does not. What a rule saves must be surely more, with what its own ends cost.
constexpr Seconds kSparedByForcing = 100e-9;
/// Between two ranges of a rule it has to be about as much.
constexpr Seconds kUsuallySpared = 60e-9;
/// Where the default was forced, too, only the file's questions are left: 12 ns for each end of a rule.
constexpr Seconds kAskedByFile = 25e-9;

}  // namespace

std::optional<Gain> CommunicatorDecision::known_gain(const TuningPoint& point, std::size_t choice,
                                                     Evidence least) const {
  const bool is_known = least != Evidence::kProven || estimates_.is_proven(point, choices_[choice]);
  return is_known ? estimates_.gain(point, choices_[choice]) : std::nullopt;
}

std::vector<Rank> CommunicatorDecision::measured_and(const std::vector<Rank>& others) const {
  std::vector<Rank> all{ranks_.first};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

double CommunicatorDecision::least_gain_of(std::size_t cell, std::size_t choice, Evidence least,
                                           const std::vector<Rank>& numbers) const {
  double least_gain = std::numeric_limits<double>::infinity();
  for (const Rank ranks : numbers) {
    const std::optional<Gain> gain = known_gain(point(sizes_[cell], ranks), choice, least);
    least_gain = std::min(least_gain, gain ? gain->interval.lower : -std::numeric_limits<double>::infinity());
  }
  return least_gain;
}

bool CommunicatorDecision::is_enough(const TuningPoint& point, const Gain& gain) const {
  return gain.interval.lower > least_gain_at(point) &&
         (gain.pairs < kPairsForSignTest || gain.sign_test < kSignificance);
}

double CommunicatorDecision::least_gain_at(const TuningPoint& point) const {
  return request_.least_gain + spared_share(point, kSparedByForcing);
}

double CommunicatorDecision::spared_share(const TuningPoint& point, Seconds by_mpich) const {
  const Seconds spared = estimates_.is_default_forced(point) ? kAskedByFile : by_mpich;
  return request_.target == TuningTarget::kMpich ? spared / estimates_.standard(point).value_or(0) : 0;
}

bool CommunicatorDecision::is_worthwhile(std::size_t cell, std::size_t choice, Evidence least,
                                         const std::vector<Rank>& others) const {
  if (!is_possible(cell, choice)) {
    return false;
  }
  if (!is_measured(cell, choice)) {
    return least == Evidence::kPredicted &&
           estimate(cell, choice).seconds < (1 - request_.least_gain) * estimate(cell, 0).seconds;
  }
  return is_known_among(cell, choice, least, others,
                        [&](const TuningPoint& here, const Gain& gain) { return is_enough(here, gain); });
}

/// Surely faster than the default by a variable, and by a tuning file about as fast.
bool CommunicatorDecision::is_harmless(std::size_t cell, std::size_t choice, Evidence least,
                                       const std::vector<Rank>& others) const {
  return is_possible(cell, choice) && is_measured(cell, choice) &&
         is_known_among(cell, choice, least, others, [&](const TuningPoint& here, const Gain& gain) {
           return gain.interval.lower > request_.least_gain &&
                  gain.share > spared_share(here, kUsuallySpared) - kMergingLoss;
         });
}

bool CommunicatorDecision::is_known_among(std::size_t cell, std::size_t choice, Evidence least,
                                          const std::vector<Rank>& others, const GainTest& holds) const {
  if (!others.empty() && !is_possible_between(cell, choice)) {
    return false;
  }
  return std::ranges::all_of(measured_and(others), [&](Rank ranks) {
    const TuningPoint here = point(sizes_[cell], ranks);
    const std::optional<Gain> gain = known_gain(here, choice, least);
    return gain && estimates_.standard(here) && holds(here, *gain);
  });
}

std::vector<CoverRun> CommunicatorDecision::joined(const std::vector<CoverRun>& runs, Evidence least,
                                                   const std::vector<Rank>& others) const {
  std::vector<CoverRun> all;
  for (const CoverRun& run : runs) {
    all.push_back(run);
    if (all.size() < 3 || run.choice == 0 || all[all.size() - 2].choice != 0 ||
        all[all.size() - 3].choice != run.choice) {
      continue;
    }
    const CoverRun between = all[all.size() - 2];
    bool is_one = true;
    for (std::size_t cell = between.first; cell <= between.last; ++cell) {
      is_one = is_one && is_harmless(cell, run.choice, least, others);
    }
    if (is_one) {
      all.pop_back();
      all.pop_back();
      all.back().last = run.last;
    }
  }
  return all;
}

bool CommunicatorDecision::is_possible_between(std::size_t cell, std::size_t choice) const {
  return is_candidate(request_, collective_, {ranks_.first, ranks_.last + 1}, sizes_[cell], choices_[choice]);
}

std::vector<TimingRequest> CommunicatorDecision::to_be_proven() const {
  std::vector<TimingRequest> requests;
  const auto add = [&](std::size_t cell, std::size_t choice) {
    if (choice == 0 || !is_possible(cell, choice)) {
      return;
    }
    if (request_.target != TuningTarget::kSmpi) {
      requests.push_back({point(sizes_[cell]), {choices_[choice]}});
    }
    if (ranks_.first < ranks_.last && is_possible_between(cell, choice)) {
      requests.push_back({point(sizes_[cell], ranks_.last + 1), {choices_[choice]}});
    }
  };
  const std::vector<CoverRun> found = runs(Evidence::kMeasured);
  for (std::size_t run = 0; run < found.size(); ++run) {
    for (std::size_t cell = found[run].first; cell <= found[run].last; ++cell) {
      add(cell, found[run].choice);
    }
    // Beside another rule, also at that one's first size or last one.
    if (run > 0 && found[run - 1].choice != 0 && found[run].choice != 0) {
      add(found[run].first, found[run - 1].choice);
      add(found[run - 1].last, found[run].choice);
    }
  }
  return requests;
}

double CommunicatorDecision::loss_at(Bytes bytes, const DecisionChoice& choice) const {
  const Seconds standard = estimates_.standard(point(bytes)).value_or(std::numeric_limits<double>::infinity());
  Seconds best = standard;
  for (std::size_t other = 1; other < choices_.size(); ++other) {
    if (const TimeEstimate own = estimates_.of(point(bytes), choices_[other]); own.measured) {
      best = std::min(best, own.seconds);
    }
  }
  const Seconds chosen = choice == choices_.front() ? standard : estimates_.of(point(bytes), choice).seconds;
  return std::isfinite(best) && std::isfinite(chosen) ? chosen / best - 1 : 0;
}

double CommunicatorDecision::loss_between(const CommunicatorDecision& next) const {
  double most = 0;
  for (const CoverRun& run : runs(evidence_of_rules(), {next.ranks_.first})) {
    for (std::size_t cell = run.first; cell <= run.last; ++cell) {
      most = std::max(
          {most, loss_at(sizes_[cell], choices_[run.choice]), next.loss_at(sizes_[cell], choices_[run.choice])});
    }
  }
  return most;
}

}  // namespace postage
