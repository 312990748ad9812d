#include "measure/machine/processor_speed.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace postage {
namespace {

constexpr std::size_t kWords = 512;  ///< in the nearest cache
constexpr int kRepeats = 32;
constexpr int kTries = 3;

/// Additions that do not wait for one another: they feel it where another thread shares the core's units.
std::uint64_t add_up(const std::array<std::uint64_t, kWords>& words) {
  std::array<std::uint64_t, 4> sums{};
  for (std::size_t i = 0; i < kWords; i += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) {
      sums[k] += words[i + k];
    }
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

}  // namespace

Seconds time_fixed_work(Transport& transport) {
  std::array<std::uint64_t, kWords> words{};
  Seconds least = std::numeric_limits<Seconds>::infinity();
  for (int i = 0; i < kTries; ++i) {
    const Seconds begin = transport.now();
    for (int set = 0; set < kRepeats; ++set) {
      volatile std::uint64_t& next = words[static_cast<std::size_t>(set)];
      next = add_up(words);  // each set needs the one before
    }
    transport.account_for(double{kWords} * kRepeats);
    least = std::min(least, transport.now() - begin);
  }
  return least;
}

}  // namespace postage
