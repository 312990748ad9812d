#include "launch/random/networks.hpp"

#include "launch/random/host_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

DrawnNetwork star(const NetworkDraw& wanted, Draws& draws) {
  NetworkMaker maker(wanted, wanted.hosts, draws);
  return {maker.with_routes([](int, int) { return std::vector<int>{}; }), "one switch"};
}

DrawnNetwork two_rails(const NetworkDraw& wanted, Draws& draws) {
  NetworkMaker maker(wanted, wanted.hosts, draws);
  return {maker.with_routes([](int, int) { return std::vector<int>{}; }, 2), "two switches, two links a host"};
}

/// Leaf switches below spines; a message goes up by the spine of its target, as InfiniBand's routing has it.
DrawnNetwork fat_tree(const NetworkDraw& wanted, Draws& draws) {
  const int of_leaf = draws.one_of({2, 4, 8});
  const int leaves = std::max(ratio_up(wanted.hosts, of_leaf), 2);
  const int hosts = std::max(leaves * of_leaf, kLeastHosts);
  const int spines = draws.one_of({1, 2});
  const double oversubscription = draws.one_of({1.0, 1.5, 2.0, 3.0, 4.0});
  const double share = static_cast<double>(of_leaf) / (oversubscription * static_cast<double>(spines));
  NetworkMaker maker(wanted, hosts, draws);
  const auto path = [&](int source, int target) -> std::vector<int> {
    const int from = source / of_leaf;
    const int to = target / of_leaf;
    const int spine = 1000 + target % spines;
    return from == to ? std::vector<int>{}
                      : std::vector{maker.between(from, spine, share), maker.between(spine, to, share)};
  };
  return {maker.with_routes(path), fmt::format("leaves of {} hosts, {} spine{}, oversubscribed {}:1", of_leaf, spines,
                                               spines == 1 ? "" : "s", oversubscription)};
}

DrawnNetwork dumbbell(const NetworkDraw& wanted, Draws& draws) {
  const int left = std::max(wanted.hosts / draws.whole(2, 4), 1);
  const double share = draws.one_of({0.5, 1.0, 2.0});
  NetworkMaker maker(wanted, wanted.hosts, draws);
  const auto path = [&](int source, int target) -> std::vector<int> {
    const int from = source < left ? 0 : 1;
    const int to = target < left ? 0 : 1;
    return from == to ? std::vector<int>{} : std::vector{maker.between(from, to, share)};
  };
  return {maker.with_routes(path),
          fmt::format("{} and {} hosts, joined by {} of a host's bandwidth", left, wanted.hosts - left, share)};
}

/// Steps along one ring of a torus, the shorter way around.
int next_on_ring(int at, int to, int length) {
  const int ahead = (to - at + length) % length;
  return ahead <= length - ahead ? (at + 1) % length : (at + length - 1) % length;
}

/// Dimension by dimension.
DrawnNetwork torus(const NetworkDraw& wanted, int dimensions, Draws& draws) {
  std::vector<int> lengths(static_cast<std::size_t>(dimensions), 2);
  int hosts = 1 << dimensions;
  for (std::size_t i = 0; hosts < std::max(wanted.hosts, kLeastHosts); i = (i + 1) % lengths.size()) {
    const int longer = hosts / lengths[i] * (lengths[i] + 1);
    if (longer > 64) {
      break;
    }
    ++lengths[i];
    hosts = longer;
  }
  const double share = draws.one_of({0.5, 1.0, 1.0, 2.0});
  NetworkMaker maker(wanted, hosts, draws);
  const auto path = [&](int source, int target) {
    std::vector<int> links;
    int at = source;
    int stride = 1;
    for (const int length : lengths) {
      while (at / stride % length != target / stride % length) {
        const int here = at / stride % length;
        const int next = at + (next_on_ring(here, target / stride % length, length) - here) * stride;
        links.push_back(maker.between(at, next, share));
        at = next;
      }
      stride *= length;
    }
    return links;
  };
  return {maker.with_routes(path),
          fmt::format("{}, links of {} of a host's bandwidth", fmt::join(lengths, " x "), share)};
}

/// Groups of routers that are all joined; between two groups one link. Minimal routes.
DrawnNetwork dragonfly(const NetworkDraw& wanted, Draws& draws) {
  const int of_router = draws.one_of({1, 2});
  const int routers = draws.one_of({2, 4});
  const int groups = std::max(ratio_up(wanted.hosts, of_router * routers), 2);
  const int of_group = of_router * routers;
  const int hosts = std::max(groups * of_group, kLeastHosts);
  const double share = draws.one_of({0.5, 1.0, 2.0});
  NetworkMaker maker(wanted, hosts, draws);
  const auto path = [&](int source, int target) {
    std::vector<int> links;
    const auto hop = [&](int from, int to) {
      if (from != to) {
        links.push_back(maker.between(from, to, share));
      }
    };
    const int from = source / of_router;
    const int to = target / of_router;
    const int group = from / routers;
    const int other = to / routers;
    if (group == other) {
      hop(from, to);
      return links;
    }
    const int way_out = group * routers + other % routers;
    const int way_in = other * routers + group % routers;
    hop(from, way_out);
    hop(way_out, way_in);
    hop(way_in, to);
    return links;
  };
  return {maker.with_routes(path), fmt::format("groups of {} routers with {} host{} each, links of {} of a host's "
                                               "bandwidth",
                                               routers, of_router, of_router == 1 ? "" : "s", share)};
}

}  // namespace

DrawnNetwork draw_network(const NetworkDraw& wanted, Draws& draws) {
  switch (wanted.family) {
    case NetworkFamily::kFatTree:
      return fat_tree(wanted, draws);
    case NetworkFamily::kTorus2d:
      return torus(wanted, 2, draws);
    case NetworkFamily::kTorus3d:
      return torus(wanted, 3, draws);
    case NetworkFamily::kDragonfly:
      return dragonfly(wanted, draws);
    case NetworkFamily::kDumbbell:
      return dumbbell(wanted, draws);
    case NetworkFamily::kTwoRails:
      return two_rails(wanted, draws);
    default:
      return star(wanted, draws);
  }
}

}  // namespace postage
