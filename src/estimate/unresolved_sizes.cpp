#include "estimate/flow/campaign_fits.hpp"
#include "estimate/flow/sharing.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Neighbours closer than this share of the larger are close enough.
constexpr double kResolution = 1e-3;
/// Sizes to measure between two neighbours.
constexpr int kSteps = 7;
/// Messages whose bytes take a smaller share of their time show too little of what they share.
constexpr double kLeastShared = 0.05;
/// Lines that miss the next line's first point by less than this do not jump there.
constexpr double kJump = 0.01;
/// Lines that miss one of their points by less than this are those of all their points.
constexpr double kMissed = 0.005;
/// Points that a line misses by less are on it.
constexpr double kOnLine = 1e-3;

/// The multiple of the largest power of two above one size, up to another.
Bytes roundest_between(Bytes low, Bytes high) {
  Bytes power = 1;
  while (high / (2 * power) * (2 * power) > low) {
    power *= 2;
  }
  return high / power * power;
}

/// Sizes that lie evenly between two; and those at and beside the roundest: mostly protocols change there. None where
/// the two are closer than this share of the larger.
void append_between(Bytes low, Bytes high, std::vector<Bytes>& sizes, double resolution = kResolution) {
  const Bytes gap = high - low;
  if (gap < 2 || static_cast<double>(gap) < resolution * static_cast<double>(high)) {
    return;
  }
  for (int i = 1; i <= kSteps; ++i) {
    const Bytes size = low + gap * i / (kSteps + 1);
    if (size > low && size < high && (sizes.empty() || sizes.back() != size)) {
      sizes.push_back(size);
    }
  }
  const Bytes round = roundest_between(low, high);
  for (const Bytes size : {round - 1, round, round + 1}) {
    if (size > low && size < high) {
      sizes.push_back(size);
    }
  }
}

/// Around a threshold, the neighbours that were measured.
void append_around(const TimesBySize& times, const std::optional<Bytes>& threshold, std::vector<Bytes>& sizes) {
  if (!threshold || times.empty()) {
    return;
  }
  const auto above = times.upper_bound(*threshold);
  if (above != times.begin() && above != times.end()) {
    append_between(std::prev(above)->first, above->first, sizes);
  }
}

/// The pair that was measured at the most sizes: protocols change at the same sizes for all, while a median over pairs
/// also jumps where other pairs were measured.
const PairData& longest_pair(const ScopeData& scope) {
  return **std::max_element(scope.pairs.begin(), scope.pairs.end(),
                            [](const PairData* a, const PairData* b) { return a->curve.size() < b->curve.size(); });
}

bool is_simulated(const ScopeFit& fit) {
  return !fit.deviations.empty();
}

/// True for simulations, whose times are exact unless they are disturbed on purpose.
bool is_exact(const ScopeFit& fit) {
  return is_simulated(fit) && !(fit.scatter_in({}) > 0);
}

/// Of a simulation those of one pair: medians over pairs of several kinds would jump wherever more kinds were measured.
std::vector<CurvePoint> points_of(const ScopeFit& fit) {
  return is_exact(fit) ? curve_of(longest_pair(*fit.scope)) : fit.points;
}

/// A point, and by what share its line misses it.
struct MissedPoint {
  std::size_t index = 0;
  double miss = 0;
};

/// Those whose lines miss them, by the most first.
std::vector<MissedPoint> missed_points(const std::vector<CurvePoint>& points, const std::vector<LinePiece>& lines) {
  std::vector<MissedPoint> missed;
  std::size_t line = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    while (line + 1 < lines.size() && lines[line + 1].from_bytes <= points[i].bytes) {
      ++line;
    }
    const double miss = std::abs(points[i].seconds / lines[line].seconds_at(points[i].bytes) - 1);
    if (miss > kMissed) {
      missed.push_back({i, miss});
    }
  }
  std::stable_sort(missed.begin(), missed.end(),
                   [](const MissedPoint& a, const MissedPoint& b) { return a.miss > b.miss; });
  return missed;
}

/// On both sides of points that their line misses most: another line may begin there that had too few points to be
/// found. Of some others nothing is left to measure between their neighbours.
void append_missed(const ScopeFit& fit, std::vector<Bytes>& sizes) {
  constexpr std::size_t kMost = 3;
  if (!is_exact(fit)) {
    return;
  }
  const std::vector<CurvePoint> points = curve_of(longest_pair(*fit.scope));
  std::size_t appended = 0;
  for (const MissedPoint& missed : missed_points(points, fit_pieces(points, fit.finest_scatter))) {
    const std::size_t known = sizes.size();
    if (missed.index > 0) {
      append_between(points[missed.index - 1].bytes, points[missed.index].bytes, sizes);
    }
    if (missed.index + 1 < points.size()) {
      append_between(points[missed.index].bytes, points[missed.index + 1].bytes, sizes);
    }
    appended += sizes.size() > known ? 1 : 0;
    if (appended == kMost) {
      return;
    }
  }
}

/// Sizes at which only empty messages answered, if what they take is not on the line between the sizes beside them:
/// lines begin there that a threshold above them hides.
void append_answered(const ScopeFit& fit, std::vector<Bytes>& sizes) {
  const PairData& pair = longest_pair(*fit.scope);
  const auto empty = pair.curve.find(0);
  if (!is_exact(fit) || empty == pair.curve.end()) {
    return;
  }
  for (const Measurement* m : pair.measurements) {
    const Experiment& e = m->experiment;
    const auto above = pair.curve.lower_bound(e.bytes);
    if (e.kind != ExperimentKind::kRoundtrip || e.reply_bytes != 0 || above == pair.curve.end() ||
        above->first == e.bytes || above == pair.curve.begin()) {
      continue;
    }
    const auto& [low, before] = *std::prev(above);
    const double share = static_cast<double>(e.bytes - low) / static_cast<double>(above->first - low);
    const double expected = before.one_way.value + share * (above->second.one_way.value - before.one_way.value) +
                            empty->second.one_way.value;
    if (std::abs(m->summary.median / expected - 1) > kJump) {
      sizes.push_back(e.bytes);
    }
  }
}

/// In simulations to the byte: programs' messages are at thresholds more often than others.
void append_jumps(const ScopeFit& fit, std::vector<Bytes>& sizes) {
  const std::vector<CurvePoint> points = points_of(fit);
  const std::vector<LinePiece> lines = fit_pieces(points, fit.finest_scatter);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto after = std::lower_bound(points.begin(), points.end(), lines[i].from_bytes,
                                        [](const CurvePoint& point, Bytes bytes) { return point.bytes < bytes; });
    if (after == points.begin() || after == points.end()) {
      continue;
    }
    const LinePiece& before = lines[i - 1];
    if (std::abs(after->seconds / before.seconds_at(after->bytes) - 1) > kJump) {
      append_between(std::prev(after)->bytes, after->bytes, sizes, is_simulated(fit) ? 0 : kResolution);
    }
  }
}

/// The ends of the sizes that are awaited though they do not keep their senders: they have a line of their own.
void append_awaited(const ScopeFit& fit, std::vector<Bytes>& sizes) {
  const FlowProtocols& protocols = fit.protocols;
  if (!protocols.awaited_from ||
      (protocols.rendezvous_above && *protocols.awaited_from >= *protocols.rendezvous_above)) {
    return;
  }
  std::vector<Bytes> ends{*protocols.awaited_from};
  if (protocols.rendezvous_above) {
    ends.push_back(*protocols.rendezvous_above);
  }
  for (const Bytes end : ends) {
    const bool is_measured =
        std::any_of(fit.points.begin(), fit.points.end(), [&](const CurvePoint& point) { return point.bytes == end; });
    if (!is_measured && end > 0) {
      sizes.push_back(end);
    }
  }
}

/// The largest size of a range that was measured; of a simulation, the largest that is on the range's line: one beside
/// it may be of another line, which is too short to be seen.
const CurvePoint* largest_of_line(const ScopeFit& fit, const std::vector<LinePiece>& lines, const SizeRange& range) {
  const CurvePoint* largest = nullptr;
  for (const CurvePoint& point : fit.points) {
    if (point.bytes < range.from || point.bytes >= range.end) {
      continue;
    }
    const auto after =
        std::find_if(lines.begin(), lines.end(), [&](const LinePiece& line) { return line.from_bytes > point.bytes; });
    const LinePiece& line = after == lines.begin() ? *after : *std::prev(after);
    if (largest == nullptr || !is_exact(fit) || std::abs(point.seconds / line.seconds_at(point.bytes) - 1) < kOnLine) {
      largest = &point;
    }
  }
  return largest;
}

/// The largest measured size of each piece in which no group says what messages share, but one could.
void append_unshared(const ScopeFit& fit, const ChannelSharing& sharing, std::vector<Bytes>& sizes) {
  const std::vector<LinePiece> lines = fit_pieces(fit.points, fit.finest_scatter);
  for (std::size_t i = 0; i < fit.pieces.size(); ++i) {
    const SizeRange range = fit.range_of(i);
    const CurvePoint* largest = largest_of_line(fit, lines, range);
    if (largest != nullptr && !sharing.is_measured(range) &&
        fit.pieces[i].per_byte.value * static_cast<double>(largest->bytes) > kLeastShared * largest->seconds) {
      sizes.push_back(largest->bytes);
    }
  }
}

/// Of one kind of pairs where there are several: the smallest scope of those that were measured at the most sizes.
const ScopeFit& longest_fit(const ChannelFits& fits) {
  return **std::max_element(fits.rbegin(), fits.rend(),
                            [](const ScopeFit* a, const ScopeFit* b) { return a->points.size() < b->points.size(); });
}

}  // namespace

UnresolvedSizes unresolved_sizes(const SampleSet& samples) {
  const CampaignData campaign(samples);
  UnresolvedSizes unresolved;
  const CampaignFits fits(campaign);
  for (const auto& [channel, list] : fits.by_channel) {
    const ScopeFit& fit = *list.front();
    const FlowProtocols& protocols = fit.protocols;
    const RankOverheads overheads = overheads_of(campaign, *fit.scope);
    const ScopeFit& longest = longest_fit(list);
    append_jumps(longest, unresolved.roundtrips);
    append_missed(longest, unresolved.roundtrips);
    append_answered(fit, unresolved.roundtrips);
    append_awaited(fit, unresolved.roundtrips);
    append_around(overheads.send, protocols.rendezvous_above, unresolved.overheads);
    if (protocols.awaited_from && *protocols.awaited_from > 0) {
      append_around(overheads.receive, *protocols.awaited_from - 1, unresolved.overheads);
    }
    append_unshared(longest, ChannelSharing(campaign, list, channel), unresolved.groups);
  }
  for (auto* sizes : {&unresolved.roundtrips, &unresolved.overheads, &unresolved.groups}) {
    std::sort(sizes->begin(), sizes->end());
    sizes->erase(std::unique(sizes->begin(), sizes->end()), sizes->end());
  }
  return unresolved;
}

}  // namespace postage
