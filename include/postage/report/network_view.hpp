#pragma once

#include <postage/base/json.hpp>
#include <postage/platform/platform.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace postage {

/// Parts of a platform that are alike, drawn as one: groups of hosts, hosts, or what is inside a host.
struct NetworkBox {
  std::string kind;                ///< "group", "host", "socket", "NUMA node", "shared cache", "core"
  std::size_t count = 1;           ///< how many are alike
  std::vector<std::string> names;  ///< of groups and hosts; empty inside a host, and where the group above says it
  std::vector<std::string> hosts;  ///< of each named group, as a list
  std::vector<std::string> facts;  ///< of each: "2 links of 1.25 GB/s up and down", "sends 1.1 GB/s"
  double bandwidth = 0;            ///< B/s, all links together up from each; 0 where none is known
  std::vector<NetworkBox> parts;   ///< of each
  bool operator==(const NetworkBox&) const = default;
};

/// What one message takes that is alone on its way.
struct LevelTime {
  std::string between;             ///< "hosts of one group", "hosts 2 steps apart", "cores of one socket"
  std::size_t pairs = 0;           ///< measured ones
  Bytes smallest = 0;              ///< size of `latency`
  Estimate latency{};              ///< one way, seconds: medians over the pairs
  Bytes largest = 0;               ///< size of `rate`; 0 where only one size was measured
  std::optional<Estimate> rate{};  ///< bytes per second between the two sizes
};

/// What a platform says of its network and its nodes, folded so that alike parts are one.
struct NetworkView {
  std::string title;  ///< "fat16: 16 hosts, 64 ranks, Open MPI 4.1.4"
  std::string core;   ///< what joins the highest groups: "core", "mesh of all", "torus of 4 x 4"
  std::vector<std::string> facts;
  std::vector<NetworkBox> parts;
  std::vector<LevelTime> levels;        ///< near to far
  std::optional<TorusNetwork> torus{};  ///< its hosts are one box of `parts` for each class
};

/// O(hosts * levels + points).
[[nodiscard]] NetworkView network_view(const Platform& platform);

/// The tree, one line a box; each ends in a newline.
[[nodiscard]] std::string network_text(const NetworkView& view);
/// Rates in bytes per second, latencies in seconds, names as lists of hosts.
[[nodiscard]] Json to_json(const NetworkView& view);
/// A drawing: groups below what joins them, cards for those that are alike; a torus as a grid.
[[nodiscard]] std::string network_svg(const NetworkView& view);

/// "4 hosts alike", "1 host", "2 NUMA nodes".
[[nodiscard]] std::string describe(const NetworkBox& box);
/// "s0: h[0-2], s1: h[3-5]" of few groups, the names alone of many and of hosts; empty inside a host.
[[nodiscard]] std::string names_of(const NetworkBox& box);
/// "2 sockets, each 8 cores": what is inside a host.
[[nodiscard]] std::string inside_of(const NetworkBox& host);

}  // namespace postage
