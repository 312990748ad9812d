#include "validate/outliers/band_test.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace postage {
namespace {

/// A normal sample's standard deviation over its median absolute deviation.
constexpr double kNormalDeviations = 1.4826;
/// How much larger a median's standard error is than a mean's, and what share of a sample's degrees of freedom the
/// median absolute deviation uses.
constexpr double kMedianError = 1.2533;
constexpr double kMedianDegrees = 0.5;
/// Of exact times; all smaller differences are none.
constexpr double kLeastScatter = 1e-4;
constexpr std::size_t kFewestOthers = 3;
/// Share of a candidate's pairs that must be slow.
constexpr double kConsistent = 0.75;
/// Small messages and large ones; within hosts most platforms have none.
constexpr double kBands = 2;

/// Values of a class, of the candidate's pairs and of the others.
struct TwoSamples {
  std::vector<double> own;
  std::vector<double> others;
};

std::map<int, TwoSamples> samples_of(const std::vector<PairDeviation>& pairs, const OutlierCandidate& candidate) {
  std::map<int, TwoSamples> samples;
  std::vector<bool> is_own(pairs.size(), false);
  for (const std::size_t i : candidate.pairs) {
    is_own[i] = true;
    samples[pairs[i].pair_class].own.push_back(pairs[i].value);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (const auto found = samples.find(pairs[i].pair_class); found != samples.end() && !is_own[i]) {
      found->second.others.push_back(pairs[i].value);
    }
  }
  std::erase_if(samples, [](const auto& entry) { return entry.second.others.size() < kFewestOthers; });
  return samples;
}

/// What the intervals of the candidate's pairs leave open of their median, or of the mean of two.
double own_error(const std::vector<PairDeviation>& pairs, const OutlierCandidate& candidate) {
  std::vector<double> deviations;
  for (const std::size_t i : candidate.pairs) {
    deviations.push_back(pairs[i].deviation);
  }
  const double usual =
      deviations.size() > 2 ? kMedianError * median(deviations) : *std::ranges::max_element(deviations);
  return usual / std::sqrt(static_cast<double>(deviations.size()));
}

}  // namespace

std::optional<Contrast> contrast_of(const std::vector<PairDeviation>& pairs, const OutlierCandidate& candidate) {
  const std::map<int, TwoSamples> samples = samples_of(pairs, candidate);
  std::vector<double> residuals;
  Contrast contrast;
  double own = 0;
  for (const auto& [number, two] : samples) {
    const double middle = median(two.own);
    const double usual = median(two.others);
    contrast.value += static_cast<double>(two.own.size()) * (middle - usual);
    own += static_cast<double>(two.own.size());
    contrast.others += two.others.size();
    for (const double value : two.own) {
      if (two.own.size() >= kFewestOthers) {
        residuals.push_back(std::abs(value - middle));
      }
    }
    for (const double value : two.others) {
      residuals.push_back(std::abs(value - usual));
    }
  }
  if (own == 0) {
    return {};
  }
  contrast.value /= own;
  const auto count = static_cast<double>(residuals.size());
  const double lost = static_cast<double>(samples.size());
  // Medians are near to some of the values that they are taken from.
  const double scatter =
      std::max(kNormalDeviations * median(residuals) * count / std::max(count - 1.5 * lost, 1.0), kLeastScatter);
  const double sizes = 1 / own + 1 / static_cast<double>(contrast.others);
  contrast.error = std::max(scatter * (own > 2 ? kMedianError : 1) * std::sqrt(sizes), own_error(pairs, candidate));
  contrast.degrees = std::max(2.0, kMedianDegrees * count);
  return contrast;
}

namespace {

/// Value beyond which the largest of `count` values with the tail of these is with a probability of `chance`, the tail
/// being exponential from the upper quartile on.
double tail_limit(std::vector<double> values, double count, double chance) {
  if (values.size() < kFewestOthers) {
    return std::numeric_limits<double>::infinity();
  }
  const double quartile = quantile(values, 0.75);
  std::erase_if(values, [&](double value) { return value <= quartile; });
  for (double& value : values) {
    value -= quartile;
  }
  const double excess = values.empty() ? 0 : median(values) / std::log(2.0);
  return quartile + excess * std::log(std::max(count / 4 / chance, 1.0));
}

/// Tests the candidates of one band again and again.
class BandTest {
 public:
  BandTest(SizeBand band, const std::vector<OutlierCandidate>& candidates, const OutlierSettings& settings)
      : band_(std::move(band)), candidates_(candidates), settings_(settings) {
    for (const OutlierCandidate& candidate : candidates) {
      ++tests_[candidate.kind == Outlier::Kind::kPair];
    }
  }

  /// The clearest one; corrects its pairs.
  std::optional<Outlier> next() {
    find_scatter_of_hosts();
    std::optional<std::size_t> clearest;
    Contrast best;
    double height = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const std::optional<Contrast> contrast = with_scatter_of_hosts(i);
      const double own = contrast ? height_of(candidates_[i], *contrast) : 0;
      if (own > height) {
        clearest = i;
        best = *contrast;
        height = own;
      }
    }
    if (!clearest) {
      return {};
    }
    for (const std::size_t pair : candidates_[*clearest].pairs) {
      band_.pairs[pair].value -= best.value;
    }
    return outlier_of(candidates_[*clearest], best);
  }

 private:
  /// Hosts may differ by more than their pairs' scatter explains; the median absolute deviation of their figures.
  void find_scatter_of_hosts() {
    contrasts_.clear();
    std::vector<double> figures;
    for (const OutlierCandidate& candidate : candidates_) {
      contrasts_.push_back(contrast_of(band_.pairs, candidate));
      if (candidate.kind == Outlier::Kind::kHost && contrasts_.back()) {
        figures.push_back(contrasts_.back()->value);
      }
    }
    host_scatter_ = figures.size() < 2 * kFewestOthers ? 0 : kNormalDeviations * median_absolute_deviation(figures);
  }

  [[nodiscard]] std::optional<Contrast> with_scatter_of_hosts(std::size_t index) const {
    std::optional<Contrast> contrast = contrasts_[index];
    if (contrast && candidates_[index].kind == Outlier::Kind::kHost) {
      contrast->error = std::max(contrast->error, host_scatter_);
    }
    return contrast;
  }

  /// Above 0 for an outlier, the more it explains the higher.
  [[nodiscard]] double height_of(const OutlierCandidate& candidate, const Contrast& contrast) const {
    if (contrast.value < std::log1p(settings_.least) || !is_consistent(candidate, contrast)) {
      return 0;
    }
    const bool is_pair = candidate.kind == Outlier::Kind::kPair;
    const double chance = settings_.false_alarms / kBands / 2;
    const auto tests = static_cast<double>(tests_.at(is_pair));
    double limit = contrast.error * student_t_quantile(1 - chance / tests, contrast.degrees);
    if (is_pair) {
      limit = std::max(limit, pair_limit(candidate, tests, chance));
    }
    // Of two that are both clear, that which explains more: a host rather than one of its pairs.
    return contrast.value <= limit ? 0 : contrast.value * std::sqrt(static_cast<double>(candidate.pairs.size()));
  }

  [[nodiscard]] double pair_limit(const OutlierCandidate& candidate, double tests, double chance) const {
    const PairDeviation& own = band_.pairs[candidate.pairs.front()];
    std::vector<double> others;
    for (const PairDeviation& pair : band_.pairs) {
      if (pair.pair_class == own.pair_class && pair.hosts != own.hosts) {
        others.push_back(pair.value);
      }
    }
    const double usual = median(others);
    return tail_limit(std::move(others), tests, chance) - usual;
  }

  [[nodiscard]] bool is_consistent(const OutlierCandidate& candidate, const Contrast& contrast) const {
    std::map<int, double> usual;
    for (const auto& [number, two] : samples_of(band_.pairs, candidate)) {
      usual[number] = median(two.others);
    }
    const auto slow = std::ranges::count_if(candidate.pairs, [&](std::size_t i) {
      const auto found = usual.find(band_.pairs[i].pair_class);
      return found != usual.end() && band_.pairs[i].value - found->second > contrast.value / 2;
    });
    return static_cast<double>(slow) >= kConsistent * static_cast<double>(candidate.pairs.size());
  }

  [[nodiscard]] Outlier outlier_of(const OutlierCandidate& candidate, const Contrast& contrast) const {
    const double half = contrast.error * student_t_quantile(0.975, contrast.degrees);
    const PairDeviation& first = band_.pairs[candidate.pairs.front()];
    return {
        .kind = candidate.kind,
        .names = candidate.names,
        .is_inside = first.hosts.first == first.hosts.second,
        .smallest = band_.smallest,
        .largest = band_.largest,
        .slower = {std::expm1(contrast.value), std::expm1(contrast.value - half), std::expm1(contrast.value + half)},
        .pairs = candidate.pairs.size(),
        .others = contrast.others,
        .usual = band_.usual};
  }

  SizeBand band_;
  const std::vector<OutlierCandidate>& candidates_;
  const OutlierSettings& settings_;
  std::map<bool, std::size_t> tests_;  ///< candidates that are single pairs, and others
  std::vector<std::optional<Contrast>> contrasts_;
  double host_scatter_ = 0;
};

}  // namespace

std::vector<Outlier> slow_in_band(SizeBand band, const std::vector<OutlierCandidate>& candidates,
                                  const OutlierSettings& settings, std::size_t most) {
  BandTest test(std::move(band), candidates, settings);
  std::vector<Outlier> found;
  while (found.size() <= most) {
    std::optional<Outlier> next = test.next();
    if (!next) {
      break;
    }
    found.push_back(*std::move(next));
  }
  return found;
}

}  // namespace postage
