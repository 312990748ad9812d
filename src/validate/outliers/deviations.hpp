#pragma once

#include <postage/validate/outliers.hpp>

#include <utility>
#include <vector>

namespace postage {

/// By how much messages between two hosts take longer than over the pairs of their class, over some sizes.
struct PairDeviation {
  std::pair<int, int> hosts;  ///< the lower one first; twice the same within a host
  int pair_class = 0;
  double value = 0;      ///< median over the sizes of the logarithm of the time over the class' median
  double deviation = 0;  ///< standard deviation that the times' own intervals say; 0 where they say none
};

/// Sizes of one kind, and what they show.
struct SizeBand {
  Bytes smallest = 0;
  Bytes largest = 0;
  Seconds usual = 0;  ///< median of all pairs at the largest size
  std::vector<PairDeviation> pairs;
};

/// Small sizes, whose messages take at most twice as long as the smallest, and larger ones; those without pairs are
/// left out. Within hosts and between them apart.
[[nodiscard]] std::vector<SizeBand> deviations_of(const HostPairTimes& times);

}  // namespace postage
