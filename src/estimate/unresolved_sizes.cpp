#include "estimate/flow_protocols.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Neighbours closer than this share of the larger are close enough.
constexpr double kResolution = 1e-3;
/// Sizes to measure between two neighbours.
constexpr int kSteps = 7;
/// Lines that miss the next line's first point by less than this do not jump there.
constexpr double kJump = 0.01;

/// Sizes that lie evenly between two.
void append_between(Bytes low, Bytes high, std::vector<Bytes>& sizes) {
  const Bytes gap = high - low;
  if (gap < 2 || static_cast<double>(gap) < kResolution * static_cast<double>(high)) {
    return;
  }
  for (int i = 1; i <= kSteps; ++i) {
    const Bytes size = low + gap * i / (kSteps + 1);
    if (size > low && size < high && (sizes.empty() || sizes.back() != size)) {
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

void append_jumps(const std::vector<CurvePoint>& points, std::vector<Bytes>& sizes) {
  const std::vector<LinePiece> lines = fit_pieces(points);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto after = std::lower_bound(points.begin(), points.end(), lines[i].from_bytes,
                                        [](const CurvePoint& point, Bytes bytes) { return point.bytes < bytes; });
    if (after == points.begin() || after == points.end()) {
      continue;
    }
    const LinePiece& before = lines[i - 1];
    const double expected = before.intercept.value + before.slope.value * static_cast<double>(after->bytes);
    if (std::abs(after->seconds / expected - 1) > kJump) {
      append_between(std::prev(after)->bytes, after->bytes, sizes);
    }
  }
}

}  // namespace

UnresolvedSizes unresolved_sizes(const SampleSet& samples) {
  const CampaignData campaign(samples);
  UnresolvedSizes unresolved;
  for (const ScopeData& scope : campaign.scopes) {
    if (scope.scope.is_pair()) {
      continue;
    }
    const std::vector<CurvePoint> points = curve_of(scope);
    const FlowProtocols protocols = flow_protocols(campaign, scope, points);
    append_jumps(points, unresolved.roundtrips);
    append_around(overheads_of(campaign, scope).send, protocols.rendezvous_above, unresolved.overheads);
    if (protocols.awaited_from && *protocols.awaited_from > 0) {
      append_around(overheads_of(campaign, scope).receive, *protocols.awaited_from - 1, unresolved.overheads);
    }
  }
  for (auto* sizes : {&unresolved.roundtrips, &unresolved.overheads}) {
    std::sort(sizes->begin(), sizes->end());
    sizes->erase(std::unique(sizes->begin(), sizes->end()), sizes->end());
  }
  return unresolved;
}

}  // namespace postage
