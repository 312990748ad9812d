#include "tuning/decide/communicator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace postage {
namespace {

/// Of each point are measured at most.
constexpr std::size_t kMostContenders = 6;
constexpr std::size_t kMostFurther = 3;
/// So much longer than any choice was predicted to take does the fastest one take where predictions are too far off to
/// have said what contends with it.
constexpr double kMisled = 1.1;

/// With those that are suspected, up to the largest.
std::vector<Bytes> coarse_sizes(const TuneRequest& request, Collective collective, const Span<Rank>& ranks) {
  std::vector<Bytes> sizes = request.sizes;
  for (const SuspectedPoint& point : request.suspected) {
    if (point.collective == collective && ranks.contains(point.ranks) && point.bytes > 0 &&
        point.bytes <= request.sizes.back()) {
      sizes.push_back(point.bytes);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes_for(collective, ranks.first, sizes);
}

bool has_choice(const std::vector<DecisionChoice>& choices, const DecisionChoice& choice) {
  return std::find(choices.begin(), choices.end(), choice) != choices.end();
}

}  // namespace

CommunicatorDecision::CommunicatorDecision(const TuneRequest& request, Collective collective, const Span<Rank>& ranks,
                                           ChoicePredictions& predictions, const MeasuredTimes& times)
    : request_(request),
      collective_(collective),
      ranks_(ranks),
      predictions_(predictions),
      estimates_(predictions, times),
      coarse_(coarse_sizes(request, collective, ranks)),
      choices_(1) {
  for (const Bytes bytes : measured_sizes(coarse_)) {
    add_size(sizes_.size(), bytes);
  }
}

/// Before the cell of this number.
void CommunicatorDecision::add_size(std::size_t cell, Bytes bytes) {
  const std::vector<DecisionChoice> here = candidates_for(request_, collective_, {ranks_.first, ranks_.first}, bytes);
  for (const DecisionChoice& choice : here) {
    if (!has_choice(choices_, choice)) {
      choices_.push_back(choice);
    }
  }
  std::vector<bool> possible(choices_.size(), false);
  for (std::size_t choice = 1; choice < choices_.size(); ++choice) {
    possible[choice] = has_choice(here, choices_[choice]);
  }
  sizes_.insert(sizes_.begin() + static_cast<std::ptrdiff_t>(cell), bytes);
  possible_.insert(possible_.begin() + static_cast<std::ptrdiff_t>(cell), std::move(possible));
}

bool CommunicatorDecision::is_coarse(std::size_t cell) const {
  return std::find(coarse_.begin(), coarse_.end(), sizes_[cell]) != coarse_.end();
}

bool CommunicatorDecision::is_possible(std::size_t cell, std::size_t choice) const {
  return choice < possible_[cell].size() && possible_[cell][choice];
}

TimeEstimate CommunicatorDecision::estimate(std::size_t cell, std::size_t choice) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (choice == 0) {
    const Seconds seconds = estimates_.standard(point(sizes_[cell])).value_or(kInfinity);
    return {seconds, {seconds, seconds}, true};
  }
  return is_possible(cell, choice) ? estimates_.of(point(sizes_[cell]), choices_[choice])
                                   : TimeEstimate{kInfinity, {kInfinity, kInfinity}, false};
}

bool CommunicatorDecision::is_measured(std::size_t cell, std::size_t choice) const {
  return estimate(cell, choice).measured;
}

std::vector<TimingRequest> CommunicatorDecision::contenders() const {
  std::vector<TimingRequest> requests;
  for (std::size_t cell = 0; cell < sizes_.size(); ++cell) {
    TimingRequest& request = requests.emplace_back(TimingRequest{point(sizes_[cell]), {}});
    if (request_.exhaustive) {
      request.choices = candidates_for(request_, collective_, {ranks_.first, ranks_.first}, sizes_[cell]);
      continue;
    }
    if (!is_coarse(cell)) {
      continue;
    }
    std::vector<std::pair<Seconds, std::size_t>> order;
    for (std::size_t choice = 1; choice < choices_.size(); ++choice) {
      if (is_possible(cell, choice)) {
        order.emplace_back(predictions_.of(request.point, choices_[choice]).seconds, choice);
      }
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < std::min(order.size(), kMostContenders); ++i) {
      const Prediction& best = predictions_.of(request.point, choices_[order.front().second]);
      const Prediction& own = predictions_.of(request.point, choices_[order[i].second]);
      const bool overlap = std::isfinite(best.upper) && own.lower <= best.upper;
      if (own.seconds <= (1 + request_.margin) * best.seconds || overlap) {
        request.choices.push_back(choices_[order[i].second]);
      }
    }
    add_suspected(cell, request);
  }
  return requests;
}

void CommunicatorDecision::add_suspected(std::size_t cell, TimingRequest& request) const {
  for (const SuspectedPoint& suspected : request_.suspected) {
    if (suspected.collective != collective_ || !ranks_.contains(suspected.ranks) || suspected.bytes != sizes_[cell]) {
      continue;
    }
    for (std::size_t choice = 1; choice < choices_.size(); ++choice) {
      const bool is_named = suspected.schedule.empty() || choices_[choice].algorithm == suspected.schedule;
      if (is_named && is_possible(cell, choice) && !has_choice(request.choices, choices_[choice])) {
        request.choices.push_back(choices_[choice]);
      }
    }
  }
}

/// How much longer than the fastest one, as it is known now, a choice may take to contend with it.
double CommunicatorDecision::margin_now(std::size_t cell, Seconds fastest) const {
  Seconds predicted = std::numeric_limits<double>::infinity();
  for (std::size_t choice = 1; choice < choices_.size(); ++choice) {
    if (is_possible(cell, choice)) {
      predicted = std::min(predicted, predictions_.of(point(sizes_[cell]), choices_[choice]).seconds);
    }
  }
  return is_coarse(cell) && fastest > kMisled * predicted ? request_.margin : 2 * kMergingLoss;
}

std::vector<TimingRequest> CommunicatorDecision::further_contenders() const {
  std::vector<TimingRequest> requests;
  for (std::size_t cell = 0; cell < sizes_.size(); ++cell) {
    std::vector<std::pair<Seconds, std::size_t>> order;
    for (std::size_t choice = 1; choice < choices_.size(); ++choice) {
      if (is_possible(cell, choice)) {
        order.emplace_back(estimate(cell, choice).seconds, choice);
      }
    }
    std::sort(order.begin(), order.end());
    TimingRequest request{point(sizes_[cell]), {}};
    const Seconds close = order.empty() ? 0 : (1 + margin_now(cell, order.front().first)) * order.front().first;
    for (const auto& [seconds, choice] : order) {
      if (seconds <= close && !is_measured(cell, choice) && request.choices.size() < kMostFurther) {
        request.choices.push_back(choices_[choice]);
      }
    }
    if (!request.choices.empty()) {
      requests.push_back(std::move(request));
    }
  }
  return requests;
}

CoveredCell CommunicatorDecision::covered(std::size_t cell, Evidence least, const std::vector<Rank>& others) const {
  CoveredCell covered;
  std::vector<std::size_t> worthwhile;
  for (std::size_t choice = 0; choice < choices_.size(); ++choice) {
    covered.seconds.push_back(estimate(cell, choice).seconds);
    if (choice > 0 && is_worthwhile(cell, choice, least, others)) {
      worthwhile.push_back(choice);
    }
  }
  allow_within(covered, worthwhile.empty() ? std::vector<std::size_t>{0} : worthwhile, kMergingLoss);
  return covered;
}

bool CommunicatorDecision::needs_one_choice() const {
  // Open MPI's sizes of these are not the same on all ranks: rules by size deadlock legal programs.
  return request_.target == TuningTarget::kOpenMpi &&
         (collective_ == Collective::kGather || collective_ == Collective::kScatter);
}

std::vector<CoverRun> CommunicatorDecision::runs(Evidence least, const std::vector<Rank>& others) const {
  if (sizes_.empty()) {
    return {};
  }
  if (needs_one_choice()) {
    return one_run(least, others);
  }
  std::vector<CoveredCell> cells;
  for (std::size_t cell = 0; cell < sizes_.size(); ++cell) {
    cells.push_back(covered(cell, least, others));
  }
  return joined(cover(cells), least, others);
}

/// One choice for all sizes, that is nowhere slower than the default by more than the least gain, and faster by more in
/// the mean.
std::vector<CoverRun> CommunicatorDecision::one_run(Evidence least, const std::vector<Rank>& others) const {
  const std::size_t cells = sizes_.size();
  CoverRun best{0, cells - 1, 0};
  double most = request_.least_gain;
  for (std::size_t choice = 1; choice < choices_.size(); ++choice) {
    double sum = 0;
    bool is_harmless = true;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      double own = 1 - estimate(cell, choice).seconds / estimate(cell, 0).seconds;
      if (least != Evidence::kPredicted || is_measured(cell, choice)) {
        own = least_gain_of(cell, choice, least, measured_and(others));
      }
      is_harmless = is_harmless && own > -request_.least_gain;
      sum += own;
    }
    if (is_harmless && sum / static_cast<double>(cells) > most) {
      most = sum / static_cast<double>(cells);
      best.choice = choice;
    }
  }
  return {best};
}

std::vector<TimingRequest> CommunicatorDecision::unproven() const {
  std::vector<TimingRequest> requests;
  for (const CoverRun& run : runs(Evidence::kPredicted)) {
    for (std::size_t cell = run.first; cell <= run.last; ++cell) {
      if (run.choice != 0 && !is_measured(cell, run.choice)) {
        requests.push_back({point(sizes_[cell]), {choices_[run.choice]}});
      }
    }
  }
  return requests;
}

}  // namespace postage
