#pragma once

#include <postage/base/units.hpp>
#include <postage/shm/protocol_times.hpp>

#include <vector>

namespace postage {

/// How the protocols of shared memory are compared.
struct ShmProtocolSettings {
  std::vector<Bytes> sizes{};  ///< ascending; empty: 64 bytes to 4 MiB, doubling
  int repetitions = 9;         ///< in each of which every protocol is timed once at every size
  Seconds batch = 300e-6;      ///< about that long each protocol is timed in a repetition
};

/// Measures every protocol between the first two cores of each locality level that this machine has. A time in one
/// direction is the geometric mean of two: one way of a ping-pong, and a message's share of a window of 64; of
/// bidirectional traffic it is that of a sendrecv of both ranks. Rewritten buffers are written before each send, reused
/// ones are not; in windows each message then has a buffer of its own. Each is the lower quartile over the repetitions.
/// Throws UsageError on a machine of one core, Error where the ranks cannot be started.
[[nodiscard]] std::vector<LevelTimes> measure_shm_protocols(const ShmProtocolSettings& settings = {});

}  // namespace postage
