#include <postage/base/statistics.hpp>
#include <postage/predict/calibration.hpp>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

constexpr double kConfidence = 0.95;
/// Average collectives that each class starts from.
constexpr double kPrior = 5;
/// Of the predictions whose uncertainty is part of their errors.
constexpr double kUsualUncertainty = 0.75;
/// Below what the simulated clock, or a timer, tells.
constexpr double kLeastScale = 1e-6;

constexpr Bytes kSmallMessage = 2 << 10;
constexpr Bytes kLargeMessage = 32 << 10;

/// Sums over the collectives of each class.
struct ErrorSums {
  double all = 0;
  double count = 0;
  std::array<double, 3> by_size{};
  std::array<double, 3> sizes{};
  std::array<double, 3> by_traffic{};
  std::array<double, 3> traffics{};
  std::array<double, 2> by_ranks{};
  std::array<double, 2> ranks{};

  void add(const ErrorClass& what, double error, double weight) {
    all += weight * error;
    count += weight;
    by_size[what.size] += weight * error;
    sizes[what.size] += weight;
    by_traffic[what.traffic] += weight * error;
    traffics[what.traffic] += weight;
    by_ranks[what.ranks] += weight * error;
    ranks[what.ranks] += weight;
  }

  [[nodiscard]] double mean() const { return std::max(all / count, kLeastScale); }

  [[nodiscard]] double factor(double sum, double number) const { return (sum / mean() + kPrior) / (number + kPrior); }
  [[nodiscard]] double scale(const ErrorClass& what) const {
    return mean() * factor(by_size[what.size], sizes[what.size]) *
           factor(by_traffic[what.traffic], traffics[what.traffic]) * factor(by_ranks[what.ranks], ranks[what.ranks]);
  }
};

/// How much further than the largest of few errors 95 % of all may reach.
double beyond_the_largest(std::size_t count) {
  return std::log(1 / (1 - kConfidence)) / std::log(static_cast<double>(count) + 1);
}

/// Of `scores`, in any order.
double conformal_score(std::vector<double> scores) {
  std::sort(scores.begin(), scores.end());
  const auto count = static_cast<double>(scores.size());
  const double rank = std::ceil(kConfidence * (count + 1));
  if (rank > count) {
    return scores.back() * beyond_the_largest(scores.size());
  }
  return scores[static_cast<std::size_t>(rank) - 1];
}

/// An error of another kind than the others, as where a rank lost its processor, is far from their scale: the product
/// of score and scale would be many times itself. No interval wider than a factor e is wider than the largest error.
double bounded_score(double score, double largest_scale, double largest_error, std::size_t count) {
  const double bound = std::max(1.0, largest_error * std::max(1.0, beyond_the_largest(count)));
  return std::min(score, bound / largest_scale);
}

}  // namespace

ErrorClass error_class(std::string_view collective, Bytes mean_message, double share_of_ranks) {
  constexpr double kMostOfTheRanks = 0.75;
  const std::size_t size = mean_message < kSmallMessage ? 0 : mean_message < kLargeMessage ? 1 : 2;
  const std::size_t ranks = share_of_ranks < kMostOfTheRanks ? 0 : 1;
  switch (parse_collective(collective)) {
    case Collective::kGather:
    case Collective::kScatter:
      return {size, 1, ranks};
    case Collective::kAllgather:
    case Collective::kAlltoall:
    case Collective::kAllreduce:
    case Collective::kReduceScatter:
      return {size, 2, ranks};
    default:
      return {size, 0, ranks};
  }
}

Calibration::Calibration(const HeldOut& held_out, const HeldOutPredictions& predictions, bool was_chosen) {
  std::vector<double> errors = log_errors(held_out, predictions);
  for (const HeldOutCollective& one : held_out.collectives) {
    most_ranks_ = std::max(most_ranks_, static_cast<double>(one.ranks));
  }
  std::vector<ErrorClass> classes;
  ErrorSums sums;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = std::abs(errors[i]);
    const HeldOutCollective& one = held_out.collectives[i];
    classes.push_back(class_of(one.collective, one.message, one.ranks));
    sums.add(classes[i], errors[i], 1);
  }
  std::vector<double> scores;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (was_chosen && held_out.collectives[i].chooses) {
      continue;
    }
    ErrorSums others = sums;
    others.add(classes[i], errors[i], -1);
    scores.push_back(errors[i] / others.scale(classes[i]));
  }
  mean_ = sums.mean();
  for (std::size_t i = 0; i < size_factors_.size(); ++i) {
    size_factors_[i] = sums.factor(sums.by_size[i], sums.sizes[i]);
    traffic_factors_[i] = sums.factor(sums.by_traffic[i], sums.traffics[i]);
  }
  for (std::size_t i = 0; i < rank_factors_.size(); ++i) {
    rank_factors_[i] = sums.factor(sums.by_ranks[i], sums.ranks[i]);
  }
  points_ = scores.size();
  const double largest_scale = mean_ * *std::ranges::max_element(size_factors_) *
                               *std::ranges::max_element(traffic_factors_) * *std::ranges::max_element(rank_factors_);
  score_ = bounded_score(conformal_score(std::move(scores)), largest_scale, *std::ranges::max_element(errors), points_);
  if (!predictions.uncertainty.empty()) {
    usual_uncertainty_ = quantile(predictions.uncertainty, kUsualUncertainty);
  }
}

double Calibration::scale_of(const ErrorClass& what) const {
  return mean_ * size_factors_[what.size] * traffic_factors_[what.traffic] * rank_factors_[what.ranks];
}

double Calibration::half_width(const ErrorClass& what, double uncertainty) const {
  const double excess = std::max(uncertainty - usual_uncertainty_, 0.0);
  return std::hypot(score_ * scale_of(what), std::log1p(excess));
}

Calibrations calibrations_of(const HeldOut& held_out, std::string_view model, bool was_chosen) {
  const auto counts = [&](const HeldOutCollective& one) { return !was_chosen || !one.chooses; };
  const auto count = std::count_if(held_out.collectives.begin(), held_out.collectives.end(), counts);
  Calibrations calibrations;
  for (const HeldOutPredictions& predictions : held_out.predictions) {
    if (predictions.model == model && static_cast<std::size_t>(count) >= kLeastHeldOut) {
      calibrations.emplace(predictions.evaluator, Calibration(held_out, predictions, was_chosen));
    }
  }
  return calibrations;
}

}  // namespace postage
