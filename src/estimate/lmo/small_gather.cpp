#include <postage/base/error.hpp>
#include <postage/estimate/scatter_gather.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// Sizes from `last` downwards, in ascending order.
std::vector<Bytes> row_up_to(Bytes last, Bytes stride, std::size_t most) {
  std::vector<Bytes> sizes;
  for (Bytes bytes = last; bytes > 0 && sizes.size() < most; bytes -= stride) {
    sizes.push_back(bytes);
  }
  std::ranges::reverse(sizes);
  return sizes;
}

/// The points measured so far, and where times escalated.
class EscalationSearch {
 public:
  EscalationSearch(const GatherExperiment& experiment, double escalation)
      : experiment_(experiment), escalation_(escalation) {}

  void measure(const std::vector<Bytes>& sizes) {
    const std::vector<Seconds> times = experiment_(sizes);
    if (times.size() != sizes.size()) {
      throw Error(fmt::format("gather was to be timed at {} sizes and gave {} times", sizes.size(), times.size()));
    }
    // A row may start between escalations: the time of the size below it shows that.
    const CurvePoint* before = last_below(sizes.front());
    std::vector<CurvePoint> row;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      row.push_back({sizes[i], times[i]});
    }
    for (const CurvePoint& point : row) {
      if (before != nullptr && point.seconds > escalation_ * before->seconds) {
        escalated_ = point.bytes;
        break;
      }
      before = &point;
    }
    points_.insert(points_.end(), row.begin(), row.end());
    std::ranges::stable_sort(points_, {}, &CurvePoint::bytes);
  }

  [[nodiscard]] std::optional<Bytes> escalated() const { return escalated_; }

  [[nodiscard]] SmallGather result() const {
    if (!escalated_) {
      return {{}, points_};
    }
    const CurvePoint* below = last_below(*escalated_);
    const auto calm = static_cast<double>(below == nullptr ? 0 : below->bytes);
    return {SizeLimit{calm, calm, static_cast<double>(*escalated_)}, points_};
  }

 private:
  [[nodiscard]] const CurvePoint* last_below(Bytes bytes) const {
    const auto end = std::ranges::lower_bound(points_, bytes, {}, &CurvePoint::bytes);
    return end == points_.begin() ? nullptr : &*std::prev(end);
  }

  const GatherExperiment& experiment_;
  double escalation_;
  std::optional<Bytes> escalated_;
  std::vector<CurvePoint> points_;
};

}  // namespace

SmallGather find_small_gather(const GatherExperiment& experiment, const EscalationSettings& settings) {
  if (settings.finest_stride < 1 || settings.stride < settings.finest_stride ||
      settings.largest < 2 * settings.stride || settings.escalation <= 1 || settings.most_points < 2) {
    throw UsageError(
        "the search for escalations needs strides of at least 1 byte of which the finest is the smallest, two of "
        "them up to the largest size, an escalation above 1, and rows of at least 2 points");
  }
  EscalationSearch search(experiment, settings.escalation);
  search.measure(row_up_to(settings.largest / settings.stride * settings.stride, settings.stride,
                           static_cast<std::size_t>(settings.largest / settings.stride)));
  for (Bytes stride = settings.stride; search.escalated() && stride > settings.finest_stride;) {
    stride = std::max(stride / 2, settings.finest_stride);
    search.measure(row_up_to(*search.escalated(), stride, settings.most_points));
  }
  return search.result();
}

}  // namespace postage
