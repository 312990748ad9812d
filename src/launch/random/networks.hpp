#pragma once

#include "launch/random/draws.hpp"

#include <postage/launch/random_platform.hpp>

namespace postage {

inline constexpr int kLeastHosts = 8;
inline constexpr int kMostRandomRanks = 64;

[[nodiscard]] inline int ratio_up(int number, int by) {
  return (number + by - 1) / by;
}

/// What a network is drawn around.
struct NetworkDraw {
  NetworkFamily family;
  int hosts;
  double bandwidth;  ///< of a host's link
  Seconds latency;   ///< of every link
  bool mixed_links;  ///< some hosts' links have a half or a quarter of the bandwidth
};

struct DrawnNetwork {
  HostNetwork network;
  std::string shape;  ///< like "leaves of 4 hosts, 2 up links each"
};

/// A network of the family with at least 8 hosts and about `hosts`: regular shapes do not have every number.
[[nodiscard]] DrawnNetwork draw_network(const NetworkDraw& wanted, Draws& draws);

}  // namespace postage
