#include "measure/campaign/time_shares.hpp"

#include <algorithm>
#include <numeric>

namespace postage {

Seconds TimeShares::left(Seconds now) const {
  return std::max(end() - now, 0.0);
}

Seconds TimeShares::of_slot(int pass, std::size_t set, Seconds now) const {
  const double in_pass = weight_from(set);
  if (pass < settings_.passes) {
    const double all = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    return left(now) * weights_[set] / (in_pass + all * (settings_.passes - pass - 1));
  }
  // Further passes are as long as the earlier ones could be, so that there are several of them.
  return std::min(left(now), settings_.budget / settings_.passes) * weights_[set] / in_pass;
}

Seconds TimeShares::of_pass(std::size_t set, Seconds now) const {
  return left(now) * weights_[set] / weight_from(set);
}

CampaignProgress TimeShares::progress(int pass, std::size_t set, Seconds now) const {
  const auto end = weights_.begin() + static_cast<std::ptrdiff_t>(set + 1);
  const double all = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  const double in_pass = std::accumulate(weights_.begin(), end, 0.0) / all;
  return {std::min((pass + in_pass) / settings_.passes, 1.0), pass >= settings_.passes, left(now)};
}

double TimeShares::weight_from(std::size_t set) const {
  double weight = 0;
  for (std::size_t i = set; i < weights_.size(); ++i) {
    weight += weights_[i] * needed_[i];
  }
  return weight;
}

}  // namespace postage
