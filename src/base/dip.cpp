#include <postage/base/statistics.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace postage {
namespace {

/// A point where the empirical distribution function jumps, in units of one value.
struct Jump {
  double x = 0;
  double bottom = 0;  ///< values below x
  double top = 0;     ///< values up to x
};

std::vector<Jump> jumps_of(std::span<const double> sample) {
  std::vector<double> values(sample.begin(), sample.end());
  std::sort(values.begin(), values.end());
  std::vector<Jump> jumps;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (jumps.empty() || values[i] > jumps.back().x) {
      jumps.push_back({values[i], static_cast<double>(i), static_cast<double>(i)});
    }
    jumps.back().top = static_cast<double>(i + 1);
  }
  return jumps;
}

/// A piecewise linear function through some of the jumps.
class Hull {
 public:
  /// The greatest convex function below the bottoms of jumps first..last, or the least concave one above their tops.
  Hull(std::span<const Jump> jumps, std::size_t first, std::size_t last, bool below) : jumps_(jumps), below_(below) {
    for (std::size_t i = first; i <= last; ++i) {
      while (knots_.size() >= 2 && !turns(knots_[knots_.size() - 2], knots_.back(), i)) {
        knots_.pop_back();
      }
      knots_.push_back(i);
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& knots() const { return knots_; }

  [[nodiscard]] double at(std::size_t jump) const {
    const auto after = std::lower_bound(knots_.begin(), knots_.end(), jump);
    if (*after == jump) {
      return value(jump);
    }
    const Jump& left = jumps_[*(after - 1)];
    const Jump& right = jumps_[*after];
    const double weight = (jumps_[jump].x - left.x) / (right.x - left.x);
    return value(*(after - 1)) + weight * (value(*after) - value(*(after - 1)));
  }

 private:
  [[nodiscard]] double value(std::size_t jump) const { return below_ ? jumps_[jump].bottom : jumps_[jump].top; }
  /// True where the way a, b, c bends the right way at b.
  [[nodiscard]] bool turns(std::size_t a, std::size_t b, std::size_t c) const {
    const double cross =
        (jumps_[b].x - jumps_[a].x) * (value(c) - value(a)) - (jumps_[c].x - jumps_[a].x) * (value(b) - value(a));
    return below_ ? cross > 0 : cross < 0;
  }

  std::span<const Jump> jumps_;
  bool below_;
  std::vector<std::size_t> knots_;
};

/// Where the two hulls are furthest apart: the next modal interval, and that distance.
struct Narrowing {
  std::size_t first = 0;
  std::size_t last = 0;
  double distance = 0;
};

Narrowing furthest_apart(std::span<const Jump> jumps, const Hull& convex, const Hull& concave) {
  Narrowing best;
  for (const std::size_t knot : convex.knots()) {
    const double distance = concave.at(knot) - jumps[knot].bottom;
    if (distance > best.distance) {
      best = {knot, *std::lower_bound(concave.knots().begin(), concave.knots().end(), knot), distance};
    }
  }
  for (const std::size_t knot : concave.knots()) {
    const double distance = jumps[knot].top - convex.at(knot);
    if (distance > best.distance) {
      best = {*(std::upper_bound(convex.knots().begin(), convex.knots().end(), knot) - 1), knot, distance};
    }
  }
  return best;
}

/// 99 % quantiles of sqrt(n) times the dip of n uniform values, from 400,000 simulated samples (100,000 from n = 64 on,
/// 40,000 from 1024 on).
struct CriticalDip {
  double count = 0;
  double scaled_dip = 0;
};
constexpr std::array<CriticalDip, 10> kCriticalDips{{{8, 0.4900},
                                                     {12, 0.5145},
                                                     {16, 0.5302},
                                                     {24, 0.5470},
                                                     {32, 0.5586},
                                                     {64, 0.5779},
                                                     {128, 0.5946},
                                                     {256, 0.6086},
                                                     {1024, 0.6228},
                                                     {4096, 0.6271}}};

/// The smallest step between different values: a clock's tick, or something tiny where there is none.
double tick_of(std::span<const double> sorted) {
  double tick = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] > sorted[i - 1]) {
      tick = std::min(tick, sorted[i] - sorted[i - 1]);
    }
  }
  return std::isfinite(tick) ? tick : 0;
}

/// Spreads equal readings over the tick that made them equal; sorted.
std::vector<double> without_ticks(std::span<const double> sample, double resolution) {
  std::vector<double> values(sample.begin(), sample.end());
  std::sort(values.begin(), values.end());
  const double tick = std::max(tick_of(values), resolution);
  std::mt19937_64 generator(1);
  for (double& value : values) {
    value += tick * (static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5);
  }
  std::sort(values.begin(), values.end());
  return values;
}

/// How many of the sorted values belong to the lower part when the squares of the logarithms' deviations from their
/// parts' means are least: ratios count, so that a rare large value pulls less.
std::size_t best_cut(std::span<const double> sorted) {
  std::vector<double> sums{0};
  for (const double value : sorted) {
    sums.push_back(sums.back() + std::log(value / sorted.front()));
  }
  std::size_t best = 1;
  double most = -1;
  for (std::size_t cut = 1; cut < sorted.size(); ++cut) {
    const auto below = static_cast<double>(cut);
    const auto above = static_cast<double>(sorted.size() - cut);
    const double difference = sums[cut] / below - (sums.back() - sums[cut]) / above;
    const double between = below * above * difference * difference;
    if (between > most) {
      most = between;
      best = cut;
    }
  }
  return best;
}

constexpr double kLeastShare = 0.05;

}  // namespace

double dip(std::span<const double> sample) {
  const std::vector<Jump> jumps = jumps_of(sample);
  const auto count = static_cast<double>(sample.size());
  double largest = 1;  // no distribution function follows a single jump more closely than by half of it
  std::size_t first = 0;
  std::size_t last = jumps.size() - 1;
  while (first < last) {
    const Hull convex(jumps, first, last, true);
    const Hull concave(jumps, first, last, false);
    const Narrowing next = furthest_apart(jumps, convex, concave);
    if (next.distance <= largest) {
      break;
    }
    // Outside the modal interval the closest unimodal function is convex on the left and concave on the right; at the
    // interval's ends it may jump as the sample does.
    for (std::size_t i = first; i < next.first; ++i) {
      largest = std::max(largest, jumps[i].top - convex.at(i));
    }
    for (std::size_t i = next.last + 1; i <= last; ++i) {
      largest = std::max(largest, concave.at(i) - jumps[i].bottom);
    }
    if (next.first == first && next.last == last) {
      break;
    }
    first = next.first;
    last = next.last;
  }
  return largest / (2 * count);
}

double critical_dip(std::size_t count) {
  const auto n = static_cast<double>(count);
  if (n < kCriticalDips.front().count) {
    return std::numeric_limits<double>::infinity();
  }
  const auto after = std::find_if(kCriticalDips.begin(), kCriticalDips.end(),
                                  [&](const CriticalDip& known) { return known.count >= n; });
  if (after == kCriticalDips.begin() || after == kCriticalDips.end()) {
    return (after == kCriticalDips.end() ? kCriticalDips.back() : *after).scaled_dip / std::sqrt(n);
  }
  const CriticalDip& before = *(after - 1);
  const double weight = std::log(n / before.count) / std::log(after->count / before.count);
  return (before.scaled_dip + weight * (after->scaled_dip - before.scaled_dip)) / std::sqrt(n);
}

std::vector<Mode> find_modes(std::span<const double> sample, double least_separation, double resolution) {
  if (sample.size() < 2 || *std::min_element(sample.begin(), sample.end()) <= 0) {
    return {};
  }
  const std::vector<double> values = without_ticks(sample, resolution);
  if (values.front() <= 0 || dip(values) <= critical_dip(values.size())) {
    return {};
  }
  // The most extreme values are outliers rather than modes: they must not say where to cut.
  const auto few = static_cast<std::size_t>(kLeastShare * static_cast<double>(values.size()));
  const std::span<const double> middle = std::span(values).subspan(few, values.size() - 2 * few);
  const std::size_t cut = few + best_cut(middle);
  const std::span<const double> below = std::span(values).first(cut);
  const std::span<const double> above = std::span(values).subspan(cut);
  const double share = static_cast<double>(cut) / static_cast<double>(values.size());
  const Mode low{median(below), share};
  const Mode high{median(above), 1 - share};
  const double least = std::max(2 * resolution, least_separation * (low.centre + high.centre) / 2);
  const bool apart = high.centre - low.centre > least;
  return apart && std::min(low.share, high.share) >= kLeastShare ? std::vector<Mode>{low, high} : std::vector<Mode>{};
}

}  // namespace postage
