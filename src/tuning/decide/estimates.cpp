#include "tuning/decide/estimates.hpp"

#include <cmath>
#include <limits>

namespace postage {
namespace {

/// A measured time beside its prediction, at a size.
struct KnownRatio {
  Bytes bytes = 0;
  double ratio = 1;
};

/// Between the two nearest sizes in proportion to the logarithms; the nearest one's beyond.
double interpolate(const std::optional<KnownRatio>& below, const std::optional<KnownRatio>& above, Bytes bytes) {
  if (!below || !above) {
    return below ? below->ratio : above ? above->ratio : 1;
  }
  const auto logarithm = [](Bytes size) { return std::log(static_cast<double>(size) + 1); };
  const double share =
      (logarithm(bytes) - logarithm(below->bytes)) / (logarithm(above->bytes) - logarithm(below->bytes));
  return std::exp((1 - share) * std::log(below->ratio) + share * std::log(above->ratio));
}

}  // namespace

std::optional<Seconds> TimeEstimates::standard(const TuningPoint& point) const {
  return measured(point, "");
}

bool TimeEstimates::is_default_forced(const TuningPoint& point) const {
  return times_.is_default_forced(point);
}

std::optional<Seconds> TimeEstimates::measured(const TuningPoint& point, const std::string& key) const {
  if (!times_.has(point, key)) {
    return std::nullopt;
  }
  const PairedTimes pairs = times_.pairs(point, key);
  if (pairs.tuned.empty()) {
    return std::numeric_limits<double>::infinity();
  }
  // The default was timed in every job of the point: what was paired with it is compared through it.
  const PairedTimes standard = times_.pairs(point, "");
  if (key.empty() || standard.tuned.empty() || pairs.standard.empty()) {
    return median(pairs.tuned);
  }
  return median(standard.tuned) * (1 - times_.gain(point, key).share);
}

std::optional<Gain> TimeEstimates::gain(const TuningPoint& point, const DecisionChoice& choice) const {
  const std::string key = times_.has(point, again_key(choice)) ? again_key(choice) : key_of(choice);
  const PairedTimes pairs = times_.pairs(point, key);
  return pairs.tuned.empty() || pairs.standard.empty() ? std::nullopt : std::optional(times_.gain(point, key));
}

bool TimeEstimates::is_proven(const TuningPoint& point, const DecisionChoice& choice) const {
  return times_.has(point, again_key(choice));
}

double TimeEstimates::correction(const TuningPoint& point, const DecisionChoice& choice) const {
  std::optional<KnownRatio> below;
  std::optional<KnownRatio> above;
  const std::string key = key_of(choice);
  for (const TuningPoint& other : times_.points_of(point.collective, point.ranks)) {
    const std::optional<Seconds> seconds = measured(other, key);
    if (!seconds || !std::isfinite(*seconds)) {
      continue;
    }
    const KnownRatio known{other.bytes, *seconds / predictions_.of(other, choice).seconds};
    if (other.bytes <= point.bytes) {
      below = known;
    } else if (!above) {
      above = known;
    }
  }
  return interpolate(below, above, point.bytes);
}

TimeEstimate TimeEstimates::of(const TuningPoint& point, const DecisionChoice& choice) const {
  if (const std::optional<Seconds> seconds = measured(point, key_of(choice))) {
    return {*seconds, {*seconds, *seconds}, true};
  }
  const Prediction& prediction = predictions_.of(point, choice);
  const double factor = correction(point, choice);
  return {factor * prediction.seconds, {factor * prediction.lower, factor * prediction.upper}, false};
}

}  // namespace postage
