#pragma once

#include <postage/base/units.hpp>

#include <functional>
#include <string>
#include <vector>

namespace postage {

/// Two cores with one cache, as valgrind's cachegrind simulates it: both cores' accesses go through the same first
/// level too, which changes what reaches the last level little.
struct SimulatedCaches {
  Bytes first_level = 32 << 10;
  int first_ways = 8;
  Bytes last_level = 4 << 20;
  int last_ways = 16;
  Bytes line = 64;
};

/// The caches of two cores of paper 002's processor, an Intel Clovertown.
inline constexpr SimulatedCaches kClovertown{};

/// Data misses of the last level for one message, sender and receiver together, the sender's writing of its buffer
/// included.
struct SharedCacheMisses {
  Bytes bytes = 0;
  double copies_whole_pool = 0;   ///< copy-in copy-out through all of the pool in turn
  double copies_pool_window = 0;  ///< through the pool's first part over and over
  double single_copy = 0;
};

/// The traffic of bandwidth-distinct-buffers in ranks that are threads of one process, where a copy stands for the
/// kernel's. Takes some seconds a size. Throws Error where valgrind or the program is missing.
[[nodiscard]] std::vector<SharedCacheMisses> simulate_shared_cache(
    const SimulatedCaches& caches, const std::vector<Bytes>& sizes,
    const std::function<void(const std::string&)>& tell = {});

}  // namespace postage
