#include <postage/base/error.hpp>
#include <postage/measure/shm_protocols.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Messages that a pool should hold under skew.
constexpr Bytes kMessagesInPool = 16;

using Way = std::vector<Seconds>;  ///< seconds at each size

Way way_of(std::span<const WayTimes> times, ShmProtocol way) {
  Way seconds;
  for (const WayTimes& at : times) {
    seconds.push_back(at.by(way));
  }
  return seconds;
}

/// How far a way falls behind the fastest of three, as a logarithm, summed over sizes [begin, end). A size that none of
/// them can take counts for none.
double loss(const std::array<Way, 3>& ways, std::size_t way, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Seconds least = std::min({ways[0][i], ways[1][i], ways[2][i]});
    sum += std::isfinite(least) ? std::log(ways[way][i] / least) : 0;
  }
  return sum;
}

struct Borders {
  std::size_t second = 0;  ///< first size that takes the second way
  std::size_t third = 0;
};

/// The borders with the least loss; of equals, the last.
Borders best_borders(const std::array<Way, 3>& ways) {
  const std::size_t sizes = ways[0].size();
  Borders best{sizes, sizes};
  double least = kInfinity;
  for (std::size_t third = sizes + 1; third-- > 0;) {
    for (std::size_t second = third + 1; second-- > 0;) {
      const double sum = loss(ways, 0, 0, second) + loss(ways, 1, second, third) + loss(ways, 2, third, sizes);
      if (sum < least) {
        least = sum;
        best = {second, third};
      }
    }
  }
  return best;
}

Bytes size_at(std::span<const WayTimes> times, std::size_t border) {
  return border < times.size() ? times[border].bytes : ProtocolThresholds::kNever;
}

void check_order(std::span<const WayTimes> times) {
  const auto not_ascending = [](const WayTimes& a, const WayTimes& b) { return a.bytes >= b.bytes; };
  if (times.empty() || std::adjacent_find(times.begin(), times.end(), not_ascending) != times.end()) {
    throw UsageError("thresholds are chosen from times at one or more sizes, in ascending order");
  }
}

}  // namespace

const char* name_of(ShmProtocol way) {
  switch (way) {
    case ShmProtocol::kRing:
      return "ring";
    case ShmProtocol::kPool:
      return "pool";
    case ShmProtocol::kSingleCopy:
      return "single copy";
    case ShmProtocol::kJointCopy:
      break;
  }
  return "joint copy";
}

ProtocolThresholds choose_thresholds(std::span<const WayTimes> times, Bytes pool_bytes) {
  check_order(times);
  // Ring and pool also serve pairs for which the kernel refuses single copy, so they are compared with each other only.
  const Way ring = way_of(times, ShmProtocol::kRing);
  const Way pool = way_of(times, ShmProtocol::kPool);
  const Way closed(times.size(), kInfinity);
  const std::size_t pool_from = best_borders({ring, pool, closed}).second;
  Way two_copies = ring;
  std::copy(pool.begin() + static_cast<std::ptrdiff_t>(pool_from), pool.end(),
            two_copies.begin() + static_cast<std::ptrdiff_t>(pool_from));
  const Borders border =
      best_borders({two_copies, way_of(times, ShmProtocol::kSingleCopy), way_of(times, ShmProtocol::kJointCopy)});
  ProtocolThresholds result{.eager = pool_from == 0 ? 0 : times[pool_from - 1].bytes,
                            .single_copy = size_at(times, border.second),
                            .joint_copy = size_at(times, border.third)};
  if (border.second <= pool_from && border.second < times.size()) {
    // No size of the table takes the pool: nor do those between two of its sizes.
    result.eager = std::max(result.eager, result.single_copy - 1);
  }
  result.skewed_single_copy = std::max(result.single_copy, pool_bytes / kMessagesInPool);
  const bool is_open = std::any_of(times.begin(), times.end(),
                                   [](const WayTimes& at) { return at.by(ShmProtocol::kSingleCopy) < kInfinity; });
  result.exchange = is_open ? ProtocolThresholds::kLeastExchange : ProtocolThresholds::kNever;
  return result;
}

}  // namespace postage
