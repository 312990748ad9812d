#include <postage/base/error.hpp>
#include <postage/estimate/shm_thresholds.hpp>
#include <postage/shm/segment.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace postage {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::infinity();
/// Messages that a pool should hold under skew.
constexpr Bytes kMessagesInPool = 16;
/// A window of the pool must take less time by this factor.
constexpr double kWindowGain = 1.05;

using Curve = std::vector<Seconds>;  ///< seconds at each size

Curve curve_of(std::span<const ProtocolTimes> times, ShmProtocol protocol) {
  Curve seconds;
  for (const ProtocolTimes& at : times) {
    seconds.push_back(at.by(protocol));
  }
  return seconds;
}

/// How far a protocol falls behind the fastest of three, as a logarithm, summed over sizes [begin, end). A size that
/// none of them can take counts for none.
double loss(const std::array<Curve, 3>& curves, std::size_t which, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Seconds least = std::min({curves[0][i], curves[1][i], curves[2][i]});
    sum += std::isfinite(least) ? std::log(curves[which][i] / least) : 0;
  }
  return sum;
}

struct Borders {
  std::size_t second = 0;  ///< first size that takes the second protocol
  std::size_t third = 0;
};

/// The borders with the least loss; of equals, the last.
Borders best_borders(const std::array<Curve, 3>& curves) {
  const std::size_t sizes = curves[0].size();
  Borders best{sizes, sizes};
  double least = kNotMeasured;
  for (std::size_t third = sizes + 1; third-- > 0;) {
    for (std::size_t second = third + 1; second-- > 0;) {
      const double sum = loss(curves, 0, 0, second) + loss(curves, 1, second, third) + loss(curves, 2, third, sizes);
      if (sum < least) {
        least = sum;
        best = {second, third};
      }
    }
  }
  return best;
}

Bytes size_at(std::span<const ProtocolTimes> times, std::size_t border) {
  return border < times.size() ? times[border].bytes : ProtocolThresholds::kNever;
}

void check_order(std::span<const ProtocolTimes> times) {
  const auto not_ascending = [](const ProtocolTimes& a, const ProtocolTimes& b) { return a.bytes >= b.bytes; };
  if (times.empty() || std::adjacent_find(times.begin(), times.end(), not_ascending) != times.end()) {
    throw UsageError("thresholds are chosen from times at one or more sizes, in ascending order");
  }
}

/// Logarithm of what the window of the pool gains, summed, and at how many sizes.
struct WindowGain {
  double sum = 0;
  int sizes = 0;

  void count(std::span<const ProtocolTimes> times) {
    for (const ProtocolTimes& at : times) {
      const double gain = std::log(at.by(ShmProtocol::kBuffered) / at.by(ShmProtocol::kBufferedWindow));
      // Messages that fill no chunk do not tell the two apart.
      if (at.bytes >= SegmentOptions{}.chunk_bytes && std::isfinite(gain)) {
        sum += gain;
        ++sizes;
      }
    }
  }
};

bool wants_window(const TrafficTimes& times) {
  WindowGain gain;
  gain.count(times.one_way);
  gain.count(times.bidirectional);
  return gain.sizes > 0 && gain.sum / gain.sizes > std::log(kWindowGain);
}

/// Eager up to a size, then copy-in copy-out.
struct TwoCopies {
  std::size_t pool_from = 0;
  Curve seconds{};
};

TwoCopies two_copies_of(std::span<const ProtocolTimes> times, ShmProtocol buffered) {
  const Curve eager = curve_of(times, ShmProtocol::kEager);
  const Curve pool = curve_of(times, buffered);
  const Curve closed(times.size(), kNotMeasured);
  TwoCopies result{.pool_from = best_borders({eager, pool, closed}).second, .seconds = eager};
  std::copy(pool.begin() + static_cast<std::ptrdiff_t>(result.pool_from), pool.end(),
            result.seconds.begin() + static_cast<std::ptrdiff_t>(result.pool_from));
  return result;
}

Bytes bidirectional_single_copy(std::span<const ProtocolTimes> times, ShmProtocol buffered) {
  const Curve closed(times.size(), kNotMeasured);
  const Curve two_copies = two_copies_of(times, buffered).seconds;
  return size_at(times, best_borders({two_copies, curve_of(times, ShmProtocol::kSingleCopy), closed}).second);
}

}  // namespace

ProtocolThresholds choose_thresholds(const TrafficTimes& times, Bytes pool_bytes) {
  check_order(times.one_way);
  check_order(times.bidirectional);
  const bool window = wants_window(times);
  const ShmProtocol buffered = window ? ShmProtocol::kBufferedWindow : ShmProtocol::kBuffered;
  // Ring and pool also serve pairs for which the kernel refuses single copy, so they are compared with each other
  // first.
  const TwoCopies two_copies = two_copies_of(times.one_way, buffered);
  const Borders border = best_borders({two_copies.seconds, curve_of(times.one_way, ShmProtocol::kSingleCopy),
                                       curve_of(times.one_way, ShmProtocol::kCooperative)});
  ProtocolThresholds result{.eager = two_copies.pool_from == 0 ? 0 : times.one_way[two_copies.pool_from - 1].bytes,
                            .single_copy = size_at(times.one_way, border.second),
                            .cooperative = size_at(times.one_way, border.third),
                            .bidirectional_single_copy = bidirectional_single_copy(times.bidirectional, buffered),
                            .pool_window = window};
  if (border.second <= two_copies.pool_from && border.second < times.one_way.size()) {
    // No size of the table takes the pool: nor do those between two of its sizes.
    result.eager = std::max(result.eager, result.single_copy - 1);
  }
  result.skewed_single_copy = std::max(result.single_copy, pool_bytes / kMessagesInPool);
  return result;
}

std::vector<MeasuredThresholds> choose_thresholds(std::span<const LevelTimes> levels) {
  std::vector<MeasuredThresholds> chosen;
  for (const LevelTimes& times : levels) {
    for (const BufferUse buffers : {BufferUse::kRewritten, BufferUse::kReused}) {
      chosen.push_back({.level = name_of(times.level),
                        .buffers = buffers,
                        .thresholds = choose_thresholds(times.of(buffers), SegmentOptions{}.pool_bytes)});
    }
  }
  return chosen;
}

}  // namespace postage
