#pragma once

#include <postage/measure/concurrent_sets.hpp>
#include <postage/samples/oversubscription.hpp>
#include <postage/samples/samples.hpp>

#include <vector>

namespace postage {

/// Where the ranks run: the same on all ranks.
struct RankPlacements {
  std::vector<Node> nodes;
  std::vector<RankPlacement> ranks;

  [[nodiscard]] Rank count() const { return static_cast<Rank>(ranks.size()); }
  [[nodiscard]] std::vector<int> host_of() const {
    std::vector<int> hosts;
    for (const RankPlacement& placement : ranks) {
      hosts.push_back(placement.node);
    }
    return hosts;
  }
  [[nodiscard]] bool share_cores() const { return !tell_oversubscribed(nodes, ranks).empty(); }
  [[nodiscard]] const char* channel(Rank a, Rank b) const {
    return channel_of(nodes, ranks[static_cast<std::size_t>(a)], ranks[static_cast<std::size_t>(b)]);
  }
};

}  // namespace postage
