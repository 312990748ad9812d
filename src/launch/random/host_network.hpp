#pragma once

#include "launch/random/networks.hpp"

#include <functional>
#include <map>

namespace postage {

/// Makes a network's links and routes. Every host has a link to the network and one from it, which the route between
/// two hosts begins and ends with.
class NetworkMaker {
 public:
  NetworkMaker(const NetworkDraw& wanted, int hosts, Draws& draws);

  /// The link from one point of the network to another, points being numbers of the family's own; made when it is first
  /// asked for, with the host links' bandwidth times `share`.
  int between(int from, int to, double share = 1);

  /// What lies between two hosts' own links.
  using Path = std::function<std::vector<int>(int source, int target)>;
  /// `rails`: how many links to and from the network each host has; routes take them in turn.
  [[nodiscard]] HostNetwork with_routes(const Path& path, int rails = 1);

 private:
  int add(std::string name, double bandwidth);

  const NetworkDraw& wanted_;
  HostNetwork network_;
  std::vector<double> host_bandwidth_;
  std::map<std::pair<int, int>, int> between_;
};

}  // namespace postage
