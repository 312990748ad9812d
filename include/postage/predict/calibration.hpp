#pragma once

#include <postage/platform/held_out.hpp>
#include <postage/schedule/schedule.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Fewer held-out collectives say nothing of an interval.
inline constexpr std::size_t kLeastHeldOut = 6;

/// What errors depend on: how large messages are, how they meet, and how many there are.
struct ErrorClass {
  std::size_t size = 0;     ///< of the mean message: below 2K, below 32K, from there on
  std::size_t traffic = 0;  ///< along trees and chains, between one rank and all, between all
  std::size_t ranks = 0;    ///< fewer than three quarters of the most ranks of a held-out collective; more
};

[[nodiscard]] ErrorClass error_class(std::string_view collective, Bytes mean_message, double share_of_ranks = 1);

/// 95 % intervals of one model's predictions, by one evaluator, from its errors on a platform's held-out collectives:
/// split conformal prediction (J. Lei et al., JASA 113(523), 2018) with the scores r/s, where r is
/// |log(measured/predicted)| and s the scale of r in the collective's class: the mean of r times factors of its size,
/// its traffic and its ranks, each shrunk towards 1 as by five average collectives, without the collective itself. The
/// interval reaches s times the ceil(0.95 (n + 1))-th smallest of n scores. For n < 19 there is none: then the largest
/// one grows as the quantiles of an exponential distribution do, by log 20/log(n + 1).
class Calibration {
 public:
  /// The model's errors on all collectives give the scales; the scores are those of collectives that did not choose it,
  /// if `was_chosen`. Requires kLeastHeldOut of these.
  Calibration(const HeldOut& held_out, const HeldOutPredictions& predictions, bool was_chosen);

  /// The interval is predicted / exp(w) to predicted * exp(w) for the w returned. `uncertainty`: how far the ends of
  /// the parameters' intervals are from the prediction, as a share of it; what it is more than at most of the held-out
  /// collectives widens the interval, by root of squares.
  [[nodiscard]] double half_width(const ErrorClass& what, double uncertainty) const;

  /// The class of a schedule on so many ranks.
  [[nodiscard]] ErrorClass class_of(std::string_view collective, Bytes mean_message, std::int32_t ranks) const {
    return error_class(collective, mean_message, static_cast<double>(ranks) / most_ranks_);
  }

  /// Collectives that the scores are of.
  [[nodiscard]] std::size_t points() const { return points_; }

 private:
  [[nodiscard]] double scale_of(const ErrorClass& what) const;

  double mean_ = 0;
  std::array<double, 3> size_factors_{};
  std::array<double, 3> traffic_factors_{};
  std::array<double, 2> rank_factors_{};
  double most_ranks_ = 1;
  double score_ = 0;
  double usual_uncertainty_ = 0;
  std::size_t points_ = 0;
};

/// One model's, by evaluator.
using Calibrations = std::map<std::string, Calibration, std::less<>>;
[[nodiscard]] Calibrations calibrations_of(const HeldOut& held_out, std::string_view model, bool was_chosen);

}  // namespace postage
