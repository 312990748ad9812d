#include <postage/measure/concurrent_sets.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>

namespace postage {
namespace {

constexpr Rank kMostRanksForAllPairs = 64;
constexpr std::size_t kMostRanksForAllPairsOnAHost = 16;

std::size_t at(Rank rank) {
  return static_cast<std::size_t>(rank);
}

/// A pair with the one first that makes every item first in about half of its pairs.
RankGroup oriented(Rank a, Rank b) {
  const auto [low, high] = std::minmax(a, b);
  return (high - low) % 2 == 1 ? RankGroup{low, high} : RankGroup{high, low};
}

/// Which of 64 sets at a time something is busy in.
class BusySets {
 public:
  [[nodiscard]] std::uint64_t word(std::size_t i) const { return i < words_.size() ? words_[i] : 0; }
  void take(std::size_t set) {
    words_.resize(std::max(words_.size(), set / 64 + 1));
    words_[set / 64] |= std::uint64_t{1} << (set % 64);
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// First set in which none of the hosts is busy.
std::size_t first_free(const std::vector<BusySets>& busy, const std::set<int>& hosts) {
  for (std::size_t i = 0;; ++i) {
    std::uint64_t taken = 0;
    for (const int host : hosts) {
      taken |= busy[static_cast<std::size_t>(host)].word(i);
    }
    if (~taken != 0) {
      return 64 * i + static_cast<std::size_t>(__builtin_ctzll(~taken));
    }
  }
}

/// The ranks of each host, in order.
std::vector<std::vector<Rank>> ranks_of_hosts(std::span<const int> host_of) {
  std::vector<std::vector<Rank>> hosts;
  for (std::size_t rank = 0; rank < host_of.size(); ++rank) {
    hosts.resize(std::max(hosts.size(), static_cast<std::size_t>(host_of[rank]) + 1));
    hosts[static_cast<std::size_t>(host_of[rank])].push_back(static_cast<Rank>(rank));
  }
  return hosts;
}

std::size_t most_ranks(const std::vector<std::vector<Rank>>& hosts) {
  std::size_t most = 0;
  for (const auto& ranks : hosts) {
    most = std::max(most, ranks.size());
  }
  return most;
}

void add_pairs_between_hosts(const std::vector<std::vector<Rank>>& hosts, bool all, std::vector<RankGroup>& groups) {
  const std::size_t most = most_ranks(hosts);
  const std::vector<ConcurrentSet> sets = pair_sets(static_cast<Rank>(hosts.size()));
  for (std::size_t i = 0; i < sets.size(); ++i) {
    // Slots turn from set to set; with `all`, every slot of one host is paired with every slot of the other.
    for (std::size_t slots = 0; slots < (all ? most * most : 1); ++slots) {
      for (const RankGroup& pair : sets[i]) {
        const std::vector<Rank>& a = hosts[at(pair[0])];
        const std::vector<Rank>& b = hosts[at(pair[1])];
        const std::size_t x = all ? slots % most : i % a.size();
        const std::size_t y = all ? slots / most : i % b.size();
        if (x < a.size() && y < b.size()) {
          groups.push_back(oriented(a[x], b[y]));
        }
      }
    }
  }
}

void add_pairs_on_a_host(const std::vector<Rank>& ranks, bool all, std::vector<RankGroup>& groups) {
  if (all || ranks.size() <= kMostRanksForAllPairsOnAHost) {
    for (const ConcurrentSet& set : pair_sets(static_cast<Rank>(ranks.size()))) {
      for (const RankGroup& pair : set) {
        groups.push_back(oriented(ranks[at(pair[0])], ranks[at(pair[1])]));
      }
    }
    return;
  }
  for (std::size_t distance = 1; distance <= ranks.size() / 2; distance *= 2) {
    // Half way around, every pair would come twice.
    const std::size_t starts = 2 * distance == ranks.size() ? distance : ranks.size();
    for (std::size_t i = 0; i < starts; ++i) {
      groups.push_back(oriented(ranks[i], ranks[(i + distance) % ranks.size()]));
    }
  }
}

/// Triplets of hosts as triplets of their ranks: set after set the next rank of each.
std::vector<RankGroup> on_different_hosts(const std::vector<std::vector<Rank>>& hosts, int at_least) {
  const auto most = static_cast<int>(most_ranks(hosts));
  std::vector<RankGroup> groups;
  std::vector<std::size_t> turns(hosts.size());
  for (const RankGroup& triplet : groups_of(triplet_sets(static_cast<Rank>(hosts.size()), at_least * most))) {
    RankGroup ranks;
    for (const Rank host : triplet) {
      const std::vector<Rank>& own = hosts[at(host)];
      ranks.push_back(own[turns[at(host)]++ % own.size()]);
    }
    groups.push_back(std::move(ranks));
  }
  return groups;
}

}  // namespace

std::vector<ConcurrentSet> pair_sets(Rank count) {
  std::vector<ConcurrentSet> sets;
  if (count < 2) {
    return sets;
  }
  const Rank circle = count % 2 == 0 ? count - 1 : count;
  for (Rank turn = 0; turn < circle; ++turn) {
    ConcurrentSet set;
    if (count % 2 == 0) {
      set.push_back(oriented(turn, circle));  // the one that stands still
    }
    for (Rank step = 1; step <= circle / 2; ++step) {
      set.push_back(oriented((turn + step) % circle, (turn - step + circle) % circle));
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

std::vector<ConcurrentSet> pack_into_sets(std::span<const RankGroup> groups, std::span<const int> host_of) {
  std::vector<BusySets> busy(
      host_of.empty() ? 0 : static_cast<std::size_t>(*std::max_element(host_of.begin(), host_of.end())) + 1);
  std::vector<ConcurrentSet> sets;
  for (const RankGroup& group : groups) {
    std::set<int> hosts;
    for (const Rank rank : group) {
      hosts.insert(host_of[at(rank)]);
    }
    const std::size_t set = first_free(busy, hosts);
    sets.resize(std::max(sets.size(), set + 1));
    sets[set].push_back(group);
    for (const int host : hosts) {
      busy[static_cast<std::size_t>(host)].take(set);
    }
  }
  return sets;
}

std::vector<RankGroup> groups_of(std::span<const ConcurrentSet> sets) {
  std::vector<RankGroup> groups;
  for (const ConcurrentSet& set : sets) {
    groups.insert(groups.end(), set.begin(), set.end());
  }
  return groups;
}

std::vector<ConcurrentSet> one_by_one(std::span<const ConcurrentSet> sets) {
  std::vector<ConcurrentSet> single;
  for (const RankGroup& group : groups_of(sets)) {
    single.push_back({group});
  }
  return single;
}

std::vector<ConcurrentSet> pairs_to_measure(std::span<const int> host_of) {
  const bool all = static_cast<Rank>(host_of.size()) <= kMostRanksForAllPairs;
  const std::vector<std::vector<Rank>> hosts = ranks_of_hosts(host_of);
  std::vector<RankGroup> groups;
  add_pairs_between_hosts(hosts, all, groups);
  for (const std::vector<Rank>& ranks : hosts) {
    add_pairs_on_a_host(ranks, all, groups);
  }
  return pack_into_sets(groups, host_of);
}

std::vector<ConcurrentSet> triplets_to_measure(std::span<const int> host_of, int at_least) {
  const std::vector<std::vector<Rank>> hosts = ranks_of_hosts(host_of);
  const int times = (at_least + 1) / 2;  // each member comes first twice in a triplet
  const std::vector<RankGroup> triplets = hosts.size() >= 3
                                              ? on_different_hosts(hosts, times)
                                              : groups_of(triplet_sets(static_cast<Rank>(host_of.size()), times));
  std::vector<ConcurrentSet> sets;
  for (const ConcurrentSet& set : pack_into_sets(triplets, host_of)) {
    for (std::size_t first = 0; first < 3; ++first) {
      ConcurrentSet turned = set;
      for (RankGroup& group : turned) {
        std::rotate(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(first), group.end());
      }
      sets.push_back(turned);
      for (RankGroup& group : turned) {
        std::swap(group[1], group[2]);
      }
      sets.push_back(std::move(turned));
    }
  }
  return sets;
}

}  // namespace postage
