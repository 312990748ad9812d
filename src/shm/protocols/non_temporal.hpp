#pragma once

#include "shm/copy/memory_copy.hpp"

#include <cstddef>
#include <cstdint>

namespace postage::shm {

// A message that is copied through shared memory crosses between the two cores' caches twice: the sender fetches lines
// that the receiver's cache still holds in order to write them, and the receiver fetches them back to read them. Where
// such a transfer takes longer than memory, non-temporal stores are faster: they fetch no line, and the receiver reads
// from memory. Which of the two is faster changes while a program runs where the host of a virtual machine moves its
// cores (measured: a factor of 2 either way, docs/shared-memory.md), so that no table can say it.

/// What a copy takes, as a straight line.
struct CopyCost {
  double fixed = 0;     ///< ticks
  double per_byte = 0;  ///< ticks

  [[nodiscard]] double of(std::uint64_t bytes) const { return fixed + per_byte * static_cast<double>(bytes); }
};

/// Of copy_non_temporal into `memory`, which nobody else uses yet; medians of some copies. O(bytes).
[[nodiscard]] CopyCost non_temporal_cost(std::byte* memory, std::uint64_t bytes);

/// Selects between ordinary and non-temporal stores for one peer, by the ticks that copies take. Ordinary stores are
/// expected to take several times as long as non-temporal ones where the receiver's core is far, and less where it is
/// near. kChangeAfter copies in a row that contradict the selection change it. One copy in `interval` is a probe with
/// the other kind of stores; the interval doubles while probes change nothing.
class NonTemporalSelector {
 public:
  static constexpr std::uint32_t kChangeAfter = 3;
  static constexpr std::uint32_t kFirstInterval = 32;      ///< copies
  static constexpr std::uint32_t kLongestInterval = 1024;  ///< copies
  /// Ordinary stores took 0.6 to 2 times as long as non-temporal ones between cores that share a cache, and 4 to 12
  /// times between others.
  static constexpr double kSlow = 3;
  /// The expected cost of a non-temporal copy follows an observed one by at most these factors: that one may have been
  /// interrupted.
  static constexpr double kLeastStep = 0.5;
  static constexpr double kMostStep = 1.25;

  /// `cost` of a non-temporal copy, as measured at first.
  explicit NonTemporalSelector(const CopyCost& cost) : cost_(cost) {}
  /// One that does not change.
  [[nodiscard]] static NonTemporalSelector fixed(bool non_temporal);

  /// Whether non-temporal stores are selected.
  [[nodiscard]] bool selected() const { return selected_; }
  /// Whether to use them for the next copy, which may be a probe.
  [[nodiscard]] bool next() const { return selected_ == (is_fixed_ || since_probe_ < interval_); }
  /// A copy of so many bytes took so long.
  void observe(bool non_temporal, std::uint64_t bytes, Ticks ticks);

 private:
  void begin_interval(std::uint32_t interval);

  CopyCost cost_;
  double scale_ = 1;  ///< of cost_, by the copies since
  bool is_fixed_ = false;
  bool selected_ = false;
  std::uint32_t run_ = 0;  ///< copies in a row that contradict the selection
  std::uint32_t since_probe_ = 0;
  std::uint32_t interval_ = kFirstInterval;
};

}  // namespace postage::shm
