#pragma once

#include <postage/launch/virtual_machine.hpp>
#include <postage/papers/context.hpp>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace postage::tu_paper {

inline constexpr std::array<Bytes, 3> kSizes{1024, 4096, 16384};
inline constexpr std::array<Bytes, 3> kStrides{8, 64, 512};
/// An element of the paper's arrays: an int.
inline constexpr Bytes kElement = 4;

/// "4K8S": 4 Kbyte at a stride of 8 bytes.
[[nodiscard]] std::string name_of_point(Bytes bytes, Bytes stride);
/// "1: 1K8S, 2: 1K64S, ...": the points of the x-axes in their order.
[[nodiscard]] std::string names_of_points();

/// o_mw and l_mw of one communication level: by size, and by size and stride.
struct MiddlewareTimes {
  std::map<Bytes, Seconds> overhead{};
  std::map<Bytes, std::map<Bytes, Seconds>> latency{};

  [[nodiscard]] Seconds whole(Bytes bytes, Bytes stride) const {
    return overhead.at(bytes) + latency.at(bytes).at(stride);
  }
};

/// Of both levels.
struct Middleware2 {
  MiddlewareTimes node;
  MiddlewareTimes network;
};

/// Measured on this machine's cores with Open MPI: within a node over shared memory, where o_mw = RTT(s)/2; between
/// nodes over TCP, where o'_mw is what sends and receives keep the processors; l is half of what strides add to a
/// roundtrip.
[[nodiscard]] Middleware2 measured_middleware(PaperContext& context);

/// A network between the simulated nodes.
struct Network {
  std::string name;
  double bandwidth = 0;  ///< B/s
  Seconds latency = 0;   ///< one way
};
/// As the paper's, and one on which, as on the paper's machine, the middleware takes longer than the wire.
[[nodiscard]] Network gigabit_ethernet();
[[nodiscard]] Network fast_ethernet();

/// Measured on the simulated cluster, and predicted with parameters that were estimated on it.
struct BroadcastTimes {
  std::vector<Seconds> measured{};  ///< by point
  std::vector<Seconds> log_3p{};
  std::vector<Seconds> two_log{};
};

/// Broadcasts of strided messages by `algorithm` among 8 nodes of 8 ranks, each end of whose messages takes its
/// processor half of what the middleware takes.
[[nodiscard]] BroadcastTimes broadcast_times(PaperContext& context, const Network& network,
                                             const std::string& algorithm);

}  // namespace postage::tu_paper
