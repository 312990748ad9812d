#pragma once

#include <postage/base/units.hpp>
#include <postage/shm/thresholds.hpp>

#include <array>
#include <span>
#include <vector>

namespace postage {

/// Ways of a message through the intra-node channel, in the order in which growing messages take them.
enum class ShmProtocol { kRing, kPool, kSingleCopy, kJointCopy };
inline constexpr std::array<ShmProtocol, 4> kChannelWays{ShmProtocol::kRing, ShmProtocol::kPool,
                                                         ShmProtocol::kSingleCopy, ShmProtocol::kJointCopy};

[[nodiscard]] const char* name_of(ShmProtocol way);

/// What a message of `bytes` takes by each way, in seconds; infinity by a way that it cannot take.
struct WayTimes {
  Bytes bytes = 0;
  std::array<Seconds, kChannelWays.size()> seconds{};

  [[nodiscard]] Seconds& by(ShmProtocol way) { return seconds[static_cast<std::size_t>(way)]; }
  [[nodiscard]] Seconds by(ShmProtocol way) const { return seconds[static_cast<std::size_t>(way)]; }
};

/// The thresholds with which messages of these sizes, ascending and each as important as another, lose least against
/// the fastest way of each: the sum of log(time / least time) is smallest. A single odd time moves no threshold far,
/// which the first size at which one way is faster would. A way that is never worth it starts at
/// ProtocolThresholds::kNever. Under skew single copy starts at a sixteenth of `pool_bytes`, or where it starts anyway:
/// then a sender can leave a dozen messages behind before the pool is full. These times say nothing of exchanges, which
/// the channel is left to judge from ProtocolThresholds::kLeastExchange on, unless single copy is refused. O(n^2).
/// Throws UsageError for an empty or unordered table.
[[nodiscard]] ProtocolThresholds choose_thresholds(std::span<const WayTimes> times, Bytes pool_bytes);

/// How the ways are compared.
struct ThresholdSettings {
  std::vector<Bytes> sizes{};  ///< ascending; empty: 64 bytes to 4 MiB, doubling
  int rounds = 9;              ///< in each of which every way has its turn at every size
  Seconds batch = 300e-6;      ///< about that long each way is timed in a round
};

/// What was measured between two cores of one class.
struct MeasuredDistance {
  LocalityLevel distance = LocalityLevel::kSameCache;
  std::array<int, 2> pus{};  ///< hardware threads that the ranks were bound to
  bool single_copy = true;   ///< whether the kernel let them read each other's memory
  std::vector<WayTimes> times{};
  ProtocolThresholds thresholds{};
};

/// Measures every way between the first two cores of each class of distance that this machine has, and chooses
/// thresholds. A time is the geometric mean of three: one way of a ping-pong whose buffers stay as they are, one way of
/// a ping-pong whose sender writes its buffer first, and a message's share of a window of 64; each is the lower
/// quartile over the rounds. Throws UsageError on a machine of one core, Error where the ranks cannot be started.
[[nodiscard]] std::vector<MeasuredDistance> measure_channel_thresholds(const ThresholdSettings& settings = {});

}  // namespace postage
