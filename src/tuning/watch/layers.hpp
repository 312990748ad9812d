#pragma once

#include <postage/samples/samples.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// Which sizes of messages tell a latency, and which a rate; between them protocols change.
inline constexpr Bytes kLargestOfLatency = 512;
inline constexpr Bytes kSmallestOfRate = Bytes{256} << 10;

/// Logarithm of the time of something over what it was, by size.
using Changes = std::map<Bytes, double>;

/// The changes of a run, or of several as one.
struct ChangesByPlace {
  std::map<std::string, Changes> messages{};     ///< by channel: the median over its pairs
  std::map<std::string, Changes> collectives{};  ///< of the library, by collective
};

/// Medians by experiment.
using Medians = std::map<Experiment, Seconds>;

/// Of each experiment the median over the runs that have it.
[[nodiscard]] Medians medians_of(std::span<const SampleSet> runs);

/// Of experiments that both have. `ranks_of` says which channel is between two ranks. O(n log n).
[[nodiscard]] ChangesByPlace changes_between(const Medians& before, const Medians& after, const SampleSet& ranks_of);

/// One layer's change.
struct LayerChange {
  double change = 0;  ///< logarithm
  std::size_t experiments = 0;
};

/// The median over small sizes, and over large ones; nothing (0 experiments) where there are none.
[[nodiscard]] LayerChange latency_change(const Changes& changes);
[[nodiscard]] LayerChange rate_change(const Changes& changes);
/// The largest change that two neighbouring sizes between both share.
[[nodiscard]] LayerChange protocol_change(const Changes& changes);
/// The median over the sizes that are small, or that are not.
[[nodiscard]] LayerChange small_change(const Changes& changes);
[[nodiscard]] LayerChange large_change(const Changes& changes);

}  // namespace postage
