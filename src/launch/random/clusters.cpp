#include "launch/random/clusters.hpp"

#include "launch/random/networks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace postage {
namespace {

/// From this on SMPI's messages are awaited and keep their sender until they have arrived.
constexpr Bytes kSmpiThreshold = 65536;
constexpr std::array kFamilies{NetworkFamily::kClusterStar, NetworkFamily::kClusterBackbone,
                               NetworkFamily::kClusterFatTree, NetworkFamily::kClusterTorus,
                               NetworkFamily::kClusterDragonfly};

/// What the tag says of how hosts are joined.
struct ClusterShape {
  int hosts = 0;
  std::string attributes;
  std::string title;
};

ClusterShape star_shape(Draws& draws) {
  return {draws.whole(8, 48), "", "one switch"};
}

ClusterShape backbone_shape(double bandwidth, Draws& draws) {
  const double share = draws.one_of({0.5, 1.0, 2.0, 4.0});
  const double latency = draws.of_magnitude(1e-7, 1e-5);
  return {draws.whole(8, 32), fmt::format(" bb_bw=\"{}Bps\" bb_lat=\"{}s\"", bandwidth * share, latency),
          fmt::format("a backbone of {} of a host's bandwidth", share)};
}

ClusterShape with_parameters(int hosts, const char* topology, const std::string& parameters) {
  return {hosts, fmt::format(" topology=\"{}\" topo_parameters=\"{}\"", topology, parameters), parameters};
}

/// Of two levels, or of three; with one or two switches above each, and one or two cables to each of these.
ClusterShape fat_tree_shape(Draws& draws) {
  const int of_leaf = draws.whole(2, 8);
  const int leaves = draws.whole(std::max(2, ratio_up(kLeastHosts, of_leaf)), 6);
  const int spines = draws.one_of({1, 2, 2, 4});
  const int cables = draws.one_of({1, 1, 2});
  if (of_leaf <= 3 && draws.happens(0.6)) {
    return with_parameters(
        of_leaf * leaves * 2, "FAT_TREE",
        fmt::format("3;{},{},2;1,{},{};1,1,{}", of_leaf, leaves, std::min(spines, 2), draws.whole(1, 2), cables));
  }
  return with_parameters(of_leaf * leaves, "FAT_TREE",
                         fmt::format("2;{},{};1,{};1,{}", of_leaf, leaves, spines, cables));
}

ClusterShape torus_shape(Draws& draws) {
  std::vector<int> lengths(draws.one_of({2U, 2U, 3U}));
  int hosts = 1;
  for (int& length : lengths) {
    length = draws.whole(2, lengths.size() == 2 ? 8 : 4);
    hosts *= length;
  }
  const int longer = hosts < kLeastHosts ? 2 : 1;
  lengths.front() *= longer;
  return with_parameters(longer * hosts, "TORUS", fmt::format("{}", fmt::join(lengths, ",")));
}

/// No more groups than routers of a row: SimGrid 3.32 has their links end at routers that are not there.
ClusterShape dragonfly_shape(Draws& draws) {
  const int of_router = draws.whole(1, 2);
  const int routers = draws.whole(2, 4);
  const int groups = draws.whole(2, routers);
  const int of_rows = of_router * routers * groups;
  const int rows = draws.whole(ratio_up(kLeastHosts, of_rows), std::min(3, kMostRandomRanks / of_rows));
  const auto links = [&] { return draws.one_of({1, 1, 2, 3}); };
  const int blue = links();
  const int black = links();
  const int green = links();
  return with_parameters(groups * rows * routers * of_router, "DRAGONFLY",
                         fmt::format("{},{};{},{};{},{};{}", groups, blue, rows, black, routers, green, of_router));
}

ClusterShape draw_shape(NetworkFamily family, double bandwidth, Draws& draws) {
  switch (family) {
    case NetworkFamily::kClusterBackbone:
      return backbone_shape(bandwidth, draws);
    case NetworkFamily::kClusterFatTree:
      return fat_tree_shape(draws);
    case NetworkFamily::kClusterTorus:
      return torus_shape(draws);
    case NetworkFamily::kClusterDragonfly:
      return dragonfly_shape(draws);
    default:
      return star_shape(draws);
  }
}

RandomProtocol draw_settings(Draws& draws) {
  constexpr double kAwaited = 0.5;
  constexpr double kFactors = 0.2;
  RandomProtocol protocol{.detached_below = kSmpiThreshold};
  protocol.async_small_below = draws.happens(kAwaited) ? 0 : kSmpiThreshold;
  protocol.has_factors = draws.happens(kFactors);
  return protocol;
}

}  // namespace

RandomPlatform draw_cluster(std::uint64_t seed) {
  constexpr double kSeveralRanks = 0.25;
  Draws draws(seed);
  RandomPlatform platform{.seed = seed, .family = kFamilies.at(seed % kFamilies.size())};
  const double bandwidth = draws.of_magnitude(1e8, 2.5e10);
  const double latency = draws.of_magnitude(1e-7, 5e-5);
  const bool is_shared = platform.family != NetworkFamily::kClusterBackbone && draws.happens(0.15);
  const int per_host = draws.happens(kSeveralRanks) ? draws.one_of({2, 4}) : 1;
  const ClusterShape shape = draw_shape(platform.family, bandwidth, draws);
  platform.protocol = draw_settings(draws);
  platform.network.hosts = shape.hosts;
  platform.hosts.resize(static_cast<std::size_t>(shape.hosts));
  platform.ranks_per_host = std::max(1, std::min(per_host, kMostRandomRanks / shape.hosts));
  const double memory_bandwidth = draws.of_magnitude(2e9, 2e10);
  const double memory_latency = draws.of_magnitude(1e-7, 5e-7);
  platform.memory = {"memory", memory_bandwidth, memory_latency};
  platform.cluster_attributes = fmt::format("bw=\"{}Bps\" lat=\"{}s\" sharing_policy=\"{}\"{}", bandwidth, latency,
                                            is_shared ? "SHARED" : "SPLITDUPLEX", shape.attributes);
  platform.title =
      fmt::format("{} hosts{}, {}: {}{}; {}{}", shape.hosts,
                  platform.ranks_per_host > 1 ? fmt::format(" of {} ranks", platform.ranks_per_host) : "",
                  name_of(platform.family), shape.title, is_shared ? ", links carry one direction at a time" : "",
                  platform.protocol.async_small_below == 0 ? "every message awaited" : "awaited from 64K",
                  platform.protocol.has_factors ? ", SMPI's factors" : "");
  return platform;
}

}  // namespace postage
