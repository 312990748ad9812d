#include "optimize/mapping/scotch_parts.hpp"

#include <postage/optimize/mapping/placement.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

namespace postage {
namespace {

/// Divides ranks among slots, group by group, from the widest groups to the narrowest.
class LevelByLevel {
 public:
  LevelByLevel(std::vector<std::vector<int>> places, std::vector<int> torus)
      : places_(std::move(places)), torus_(std::move(torus)), slot_of_rank_(places_.size(), -1) {}

  std::vector<Rank> run(const std::vector<CommunicationEdge>& edges) {
    std::vector<Rank> all(places_.size());
    std::iota(all.begin(), all.end(), 0);
    divide(all, all, edges, 0);
    return std::move(slot_of_rank_);
  }

 private:
  /// `edges` are those within `ranks`, by their positions in it; as many slots as ranks.
  void divide(const std::vector<Rank>& ranks, const std::vector<Rank>& slots,
              const std::vector<CommunicationEdge>& edges, std::size_t level) {
    const std::vector<std::vector<Rank>> groups = groups_at(slots, level);
    const bool is_last = level >= places_.front().size();
    const bool is_torus = level == 0 && !torus_.empty();
    if (is_last || (groups.size() == slots.size() && !is_torus)) {
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        slot_of_rank_[static_cast<std::size_t>(ranks[i])] = slots[i];
      }
      return;
    }
    if (groups.size() == 1) {
      divide(ranks, slots, edges, level + 1);
      return;
    }
    is_torus ? onto_torus(ranks, groups, edges) : halve(ranks, groups, edges, level);
  }

  /// The first half of the groups gets some ranks, the second the others, and so on: parts of many vertices are close
  /// to the sizes asked for, many small ones are not.
  void halve(const std::vector<Rank>& ranks, const std::vector<std::vector<Rank>>& groups,
             const std::vector<CommunicationEdge>& edges, std::size_t level) {
    if (groups.size() == 1) {
      divide(ranks, groups.front(), edges, level + 1);
      return;
    }
    const auto middle = groups.begin() + static_cast<std::ptrdiff_t>(groups.size() / 2);
    const std::array halves{std::vector<std::vector<Rank>>(groups.begin(), middle),
                            std::vector<std::vector<Rank>>(middle, groups.end())};
    PartsAsked asked{.sizes = {slots_in(halves[0]), slots_in(halves[1])}};
    const std::vector<int> part_of = parts_of(ranks, edges, asked);
    for (int part = 0; part < 2; ++part) {
      const auto [own, own_edges] = part_with(ranks, edges, part_of, part);
      halve(own, halves[static_cast<std::size_t>(part)], own_edges, level);
    }
  }

  void onto_torus(const std::vector<Rank>& ranks, const std::vector<std::vector<Rank>>& groups,
                  const std::vector<CommunicationEdge>& edges) {
    PartsAsked asked{.sizes = {}, .torus = torus_};
    for (const std::vector<Rank>& group : groups) {
      asked.sizes.push_back(static_cast<int>(group.size()));
    }
    const std::vector<int> part_of = parts_of(ranks, edges, asked);
    for (std::size_t part = 0; part < groups.size(); ++part) {
      const auto [own, own_edges] = part_with(ranks, edges, part_of, static_cast<int>(part));
      divide(own, groups[part], own_edges, 1);
    }
  }

  [[nodiscard]] static int slots_in(const std::vector<std::vector<Rank>>& groups) {
    return std::accumulate(groups.begin(), groups.end(), 0,
                           [](int sum, const auto& group) { return sum + static_cast<int>(group.size()); });
  }

  [[nodiscard]] static std::vector<int> parts_of(const std::vector<Rank>& ranks,
                                                 const std::vector<CommunicationEdge>& edges, const PartsAsked& asked) {
    std::vector<int> part_of = scotch_parts(static_cast<Rank>(ranks.size()), edges, asked);
    balance_parts(part_of, edges, asked.sizes);
    return part_of;
  }

  /// The ranks of a part, and the edges within it by their positions among these.
  [[nodiscard]] static std::pair<std::vector<Rank>, std::vector<CommunicationEdge>> part_with(
      const std::vector<Rank>& ranks, const std::vector<CommunicationEdge>& edges, const std::vector<int>& part_of,
      int part) {
    std::vector<Rank> position(ranks.size(), -1);
    std::vector<Rank> own;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (part_of[i] == part) {
        position[i] = static_cast<Rank>(own.size());
        own.push_back(ranks[i]);
      }
    }
    std::vector<CommunicationEdge> own_edges;
    for (const CommunicationEdge& edge : edges) {
      const Rank low = position[static_cast<std::size_t>(edge.low)];
      const Rank high = position[static_cast<std::size_t>(edge.high)];
      if (low >= 0 && high >= 0) {
        own_edges.push_back({low, high, edge.weight});
      }
    }
    return {std::move(own), std::move(own_edges)};
  }

  /// Slots by their number at this level, in the order of the first of each.
  [[nodiscard]] std::vector<std::vector<Rank>> groups_at(const std::vector<Rank>& slots, std::size_t level) const {
    std::vector<std::vector<Rank>> groups;
    if (level >= places_.front().size()) {
      return groups;
    }
    std::vector<std::pair<int, std::size_t>> known;  // number at this level, and its group
    for (const Rank slot : slots) {
      const std::vector<int>& place = places_[static_cast<std::size_t>(slot)];
      const int number = place[std::min(level, place.size() - 1)];
      const auto found = std::ranges::lower_bound(known, std::pair(number, std::size_t{0}));
      if (found == known.end() || found->first != number) {
        known.insert(found, {number, groups.size()});
        groups.push_back({slot});
      } else {
        groups[found->second].push_back(slot);
      }
    }
    return groups;
  }

  std::vector<std::vector<int>> places_;
  std::vector<int> torus_;
  std::vector<Rank> slot_of_rank_;
};

/// The lengths of a torus that has a node for each of the slots' nodes, all of as many slots; else none.
std::vector<int> torus_of(const Platform& platform, const Mapping& slots) {
  if (!platform.network || !platform.network->torus || slots.kind() != Mapping::Kind::kBlock) {
    return {};
  }
  const std::vector<int>& lengths = platform.network->torus->lengths;
  const auto hosts = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{1}, std::multiplies<>());
  return hosts == slots.nodes() ? lengths : std::vector<int>{};
}

}  // namespace

std::vector<Rank> scotch_placement(const std::vector<CommunicationEdge>& edges, const Platform& platform,
                                   const Mapping& slots) {
  return LevelByLevel(places_of(platform, slots), torus_of(platform, slots)).run(edges);
}

}  // namespace postage
