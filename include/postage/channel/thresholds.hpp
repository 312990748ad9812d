#pragma once

#include <postage/base/units.hpp>
#include <postage/platform/topology.hpp>

#include <array>

namespace postage {

/// How near two ranks of a node are: the classes of paper 002 (Chai et al., figure 1), nearest first.
enum class NodeDistance { kSameCache, kSameSocket, kOtherSocket };
inline constexpr std::size_t kNodeDistances = 3;

/// kSharedCache, kIntraSocket or kInterSocket of topology.hpp.
[[nodiscard]] const char* name_of(NodeDistance distance);
[[nodiscard]] NodeDistance distance_between(const Core& a, const Core& b);

/// Message sizes, in bytes, from which a way of passing messages is taken. The way of a message of m bytes is
///
///   m:  0 ....... eager ............ single_copy ........... joint_copy ........
///       ring of    pool of the sender:    the receiver reads    sender and receiver
///       the pair   copy-in, copy-out      the sender's memory   copy one half each
///
/// where the intervals that come out empty are skipped. Without single copy (forbidden, or switched off) everything
/// above `eager` goes through the pool.
struct ChannelThresholds {
  Bytes eager = 0;        ///< through the pair's ring up to and including this size
  Bytes single_copy = 0;  ///< by single copy from this size on
  Bytes joint_copy = 0;   ///< both processes copy from this size on; only where it is also >= single_copy
  /// Stands in for `single_copy` towards a receiver that reports skew (paper 002, section 4.2).
  Bytes skewed_single_copy = 0;
  bool operator==(const ChannelThresholds&) const = default;
};

/// Thresholds of each class.
class ThresholdTable {
 public:
  /// Single copy from 32 KB (shared cache), 2 KB (intra-socket) and 1 KB (inter-socket) on: what paper 002,
  /// section 4.1, found on its machine, to be replaced by what is measured on this one.
  ThresholdTable();

  [[nodiscard]] const ChannelThresholds& of(NodeDistance distance) const { return classes_[index(distance)]; }
  /// Throws UsageError for negative sizes and for an order that cannot be meant (joint_copy or skewed_single_copy below
  /// single_copy).
  void set(NodeDistance distance, const ChannelThresholds& thresholds);
  bool operator==(const ThresholdTable&) const = default;

 private:
  [[nodiscard]] static std::size_t index(NodeDistance distance) { return static_cast<std::size_t>(distance); }

  std::array<ChannelThresholds, kNodeDistances> classes_{};
};

}  // namespace postage
