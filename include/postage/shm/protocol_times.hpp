#pragma once

#include <postage/base/units.hpp>
#include <postage/shm/thresholds.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace postage {

/// Protocols of a message through shared memory, in the order in which growing messages take them; copy-in copy-out
/// once around the whole pool and once within a window of it (ProtocolThresholds::pool_window).
enum class ShmProtocol { kEager, kBuffered, kBufferedWindow, kSingleCopy, kCooperative };
inline constexpr std::array<ShmProtocol, 5> kShmProtocols{ShmProtocol::kEager, ShmProtocol::kBuffered,
                                                          ShmProtocol::kBufferedWindow, ShmProtocol::kSingleCopy,
                                                          ShmProtocol::kCooperative};

[[nodiscard]] const char* name_of(ShmProtocol protocol);

/// What a message of `bytes` takes by each protocol, in seconds; infinity by one that it cannot take.
struct ProtocolTimes {
  Bytes bytes = 0;
  std::array<Seconds, kShmProtocols.size()> seconds{};

  [[nodiscard]] Seconds& by(ShmProtocol protocol) { return seconds[static_cast<std::size_t>(protocol)]; }
  [[nodiscard]] Seconds by(ShmProtocol protocol) const { return seconds[static_cast<std::size_t>(protocol)]; }
};

/// Times of one kind of buffers, at ascending sizes.
struct TrafficTimes {
  std::vector<ProtocolTimes> one_way{};
  std::vector<ProtocolTimes> bidirectional{};
};

/// What was measured between two cores of one locality level.
struct LevelTimes {
  LocalityLevel level = LocalityLevel::kCache;
  std::array<int, 2> pus{};  ///< hardware threads that the ranks were bound to
  bool single_copy = true;   ///< whether the kernel let them read each other's memory
  TrafficTimes rewritten{};
  TrafficTimes reused{};

  [[nodiscard]] const TrafficTimes& of(BufferUse buffers) const {
    return buffers == BufferUse::kReused ? reused : rewritten;
  }
};

}  // namespace postage
