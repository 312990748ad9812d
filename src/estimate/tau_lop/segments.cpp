#include "estimate/data/curves.hpp"
#include "estimate/tau_lop/link.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Segments show where the times of messages that go whole would be larger by this share, and count as found where
/// theirs miss the measured ones by less than that.
constexpr double kSegmentsShow = 0.1;
constexpr double kSegmentsFit = 0.03;

/// By how much segments of `segment` bytes miss the measured times of messages of several, relative and at worst:
/// T = o(m) + 2 L(S, 1) + (k - 1) L(S, 2) for k of them.
double misfit_of_segments(const TauLopData& link, const std::vector<const ParameterPoint*>& larger, Bytes segment,
                          double alone, double together) {
  double worst = 0;
  for (const ParameterPoint* point : larger) {
    const double segments = static_cast<double>(point->bytes) / static_cast<double>(segment);
    const double time = value_at(link.overhead, point->bytes).value + 2 * alone + (std::ceil(segments) - 1) * together;
    worst = std::max(worst, std::abs(time / point->estimate.value - 1));
  }
  return worst;
}

}  // namespace

std::optional<Bytes> segment_of(const TauLopData& link) {
  if (link.transfer.size() < 2 || link.transfer[1].at != 2) {
    return std::nullopt;
  }
  const ParameterCurve& pairs = link.transfer[1].curve;
  const ParameterCurve& single = link.transfer[0].curve;
  std::optional<Bytes> best;
  double best_misfit = kSegmentsFit;
  for (std::size_t i = 2; i + 2 < single.size(); ++i) {
    const Bytes size = single[i].bytes;
    const auto above =
        std::find_if(pairs.begin(), pairs.end(), [&](const ParameterPoint& p) { return p.bytes > size; });
    std::vector<const ParameterPoint*> larger;
    for (const ParameterPoint& point : link.times) {
      if (point.bytes > size && point.bytes % size == 0) {
        larger.push_back(&point);
      }
    }
    if (above == pairs.begin() || larger.size() < 2 || size < 2) {
      continue;
    }
    const ParameterPoint& below = *std::prev(above);
    const double alone = single[i].estimate.value;
    const double alone_below = value_at(single, below.bytes).value;
    const double ratio = alone_below > 0 ? below.estimate.value / alone_below : 0;
    const ParameterCurve until(single.begin(), single.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    const Bytes largest = larger.back()->bytes;
    const double straight = 2 * value_at(until, largest).value + value_at(link.overhead, largest).value;
    const double misfit = misfit_of_segments(link, larger, size, alone, alone * ratio);
    const bool overlaps = ratio >= 1 && ratio < 2;
    if (overlaps && straight > (1 + kSegmentsShow) * larger.back()->estimate.value && misfit < best_misfit) {
      best = size;
      best_misfit = misfit;
    }
  }
  return best;
}

void cut_at_segment(TauLopData& link, Bytes segment) {
  for (ParameterRow& row : link.transfer) {
    std::erase_if(row.curve, [&](const ParameterPoint& point) { return point.bytes > segment; });
  }
  const ParameterPoint& longest = link.times.back();
  const Bytes more = (longest.bytes - 1) / segment;
  const Estimate moving = minus_at_worst(longest.estimate, value_at(link.overhead, longest.bytes));
  const Estimate alone = scaled(value_at(link.transfer.front().curve, segment), kThroughMemory);
  ParameterCurve& together = link.transfer[1].curve;
  std::erase_if(together, [&](const ParameterPoint& point) { return point.bytes == segment; });
  together.push_back({segment, scaled(minus_at_worst(moving, alone), 1 / static_cast<double>(more))});
  std::erase_if(link.transfer, [](const ParameterRow& row) { return row.curve.empty(); });
}

}  // namespace postage
