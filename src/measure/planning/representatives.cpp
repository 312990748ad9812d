#include <postage/measure/representatives.hpp>
#include <postage/samples/samples.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string_view>

namespace postage {
namespace {

constexpr std::size_t kOfAClass = 3;
constexpr std::size_t kOfAKind = 3;
constexpr std::size_t kLeastRanks = 6;
/// Pairs of one rank, where there are as many classes as pairs; and the least in all.
constexpr std::size_t kPairsOfARank = 2;
constexpr std::size_t kLeastPairs = 24;
/// Before all pairs are probed that are left, where these may be.
constexpr int kRoundsByChance = 3;

std::size_t as_size(int index) {
  return static_cast<std::size_t>(index);
}

/// Takes pairs of classes in turn, each time that whose ranks have been taken least often.
class Chooser {
 public:
  explicit Chooser(std::size_t ranks) : taken_(ranks) {}

  void take(const AlikePairs& alike) {
    const auto next = std::min_element(alike.probed.begin(), alike.probed.end(),
                                       [&](const RankPair& a, const RankPair& b) { return burden(a) < burden(b); });
    if (next != alike.probed.end() && chosen_.insert(*next).second) {
      order_.push_back(*next);
      ++taken_[as_size(next->first)];
      ++taken_[as_size(next->second)];
    }
  }

  [[nodiscard]] const std::vector<RankPair>& chosen() const { return order_; }

 private:
  /// The first of a class, in order of higher ranks, is the one that fewer ranks would have, too.
  [[nodiscard]] int burden(const RankPair& pair) const {
    constexpr int kNeverAgain = 1 << 20;
    return chosen_.contains(pair) ? kNeverAgain : taken_[as_size(pair.first)] + taken_[as_size(pair.second)];
  }

  std::vector<int> taken_;
  std::set<RankPair> chosen_;
  std::vector<RankPair> order_;
};

std::vector<const AlikePairs*> largest_first(const PairStructure& structure) {
  std::vector<const AlikePairs*> classes;
  classes.reserve(structure.classes.size());
  for (const AlikePairs& alike : structure.classes) {
    classes.push_back(&alike);
  }
  std::stable_sort(classes.begin(), classes.end(),
                   [](const AlikePairs* a, const AlikePairs* b) { return a->pairs > b->pairs; });
  return classes;
}

std::vector<RankPair> chosen_pairs(const PairStructure& structure) {
  const std::size_t ranks = structure.group_of.size();
  const std::size_t most = std::max(kPairsOfARank * ranks, kLeastPairs);
  const std::vector<const AlikePairs*> classes = largest_first(structure);
  Chooser chooser(ranks);
  for (const AlikePairs* alike : classes) {  // the first pair of each, whatever its ranks
    if (chooser.chosen().size() < most && classes.size() <= most) {
      AlikePairs first = *alike;
      first.probed.resize(std::min<std::size_t>(first.probed.size(), 1));
      chooser.take(first);
    }
  }
  for (std::size_t turn = classes.size() <= most ? 1 : 0; turn < kOfAClass; ++turn) {
    for (const AlikePairs* alike : classes) {
      if (chooser.chosen().size() < most && alike->probed.size() > turn) {
        chooser.take(*alike);
      }
    }
  }
  return chooser.chosen();
}

/// Of each kind, those on hosts of which few were taken.
std::vector<Rank> chosen_ranks(const std::vector<int>& kinds, std::span<const int> host_of) {
  std::map<int, std::vector<Rank>> of_kind;
  for (std::size_t rank = 0; rank < kinds.size(); ++rank) {
    of_kind[kinds[rank]].push_back(static_cast<Rank>(rank));
  }
  const std::size_t each =
      std::max(kOfAKind, (kLeastRanks + of_kind.size() - 1) / std::max<std::size_t>(of_kind.size(), 1));
  std::vector<Rank> chosen;
  std::map<int, int> taken;
  for (auto& [kind, ranks] : of_kind) {
    for (std::size_t i = 0; i < each && !ranks.empty(); ++i) {
      const auto next = std::min_element(ranks.begin(), ranks.end(), [&](Rank a, Rank b) {
        return taken[host_of[as_size(a)]] < taken[host_of[as_size(b)]];
      });
      chosen.push_back(*next);
      ++taken[host_of[as_size(*next)]];
      ranks.erase(next);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

bool are_on_one_host(std::span<const int> host_of) {
  return std::adjacent_find(host_of.begin(), host_of.end(), std::not_equal_to<>()) == host_of.end();
}

}  // namespace

bool have_all_pairs_measured(std::span<const int> host_of, bool in_series) {
  const std::size_t most = in_series && !are_on_one_host(host_of) ? kMostRanksInSeries : kMostRanksWithAllPairs;
  return host_of.size() <= most && std::all_of(host_of.begin(), host_of.end(), [&](int host) {
           return std::count(host_of.begin(), host_of.end(), host) <= kMostRanksOfHostWithAllPairs;
         });
}

bool are_pairs_probed(std::span<const int> host_of, bool in_series) {
  return (in_series && host_of.size() > 2 && !are_on_one_host(host_of)) || !have_all_pairs_measured(host_of, in_series);
}

std::vector<RankPair> pairs_to_probe(Rank count) {
  std::vector<RankPair> pairs;
  for (Rank distance = 1; distance <= count / 2; distance += distance < 3                       ? 1
                                                             : (distance & (distance - 1)) != 0 ? distance / 3
                                                                                                : distance / 2) {
    const Rank starts = 2 * distance == count ? distance : count;
    for (Rank rank = 0; rank < starts; ++rank) {
      pairs.emplace_back(std::minmax(rank, (rank + distance) % count));
    }
  }
  return pairs;
}

std::vector<RankPair> pairs_of_other_channels(std::span<const RankPair> pairs, std::span<const Node> nodes,
                                              std::span<const RankPlacement> ranks) {
  std::set<std::pair<int, std::string_view>> seen;
  const auto channel = [&](int a, int b) {
    return std::string_view(channel_of(nodes, ranks[as_size(a)], ranks[as_size(b)]));
  };
  for (const auto& [a, b] : pairs) {
    seen.emplace(ranks[as_size(a)].node, channel(a, b));
  }
  std::map<int, Rank> first_of_host;
  std::vector<RankPair> missing;
  for (Rank rank = 0; rank < static_cast<Rank>(ranks.size()); ++rank) {
    const auto [first, is_new] = first_of_host.try_emplace(ranks[as_size(rank)].node, rank);
    if (!is_new && seen.emplace(first->first, channel(first->second, rank)).second) {
      missing.emplace_back(first->second, rank);
    }
  }
  return missing;
}

std::vector<RankPair> pairs_to_check(Rank count, std::span<const PairProbe> known, int round) {
  std::set<RankPair> taken;
  for (const PairProbe& probe : known) {
    taken.insert(probe.ranks);
  }
  const std::size_t all = as_size(count) * (as_size(count) - 1) / 2;
  const bool is_last = count <= kMostRanksWithAllProbed && round == kRoundsByChance;
  const std::size_t wanted = is_last ? all - taken.size() : std::min(as_size(count), all - taken.size());
  std::mt19937 random(static_cast<unsigned>(round) + 1);
  std::vector<RankPair> pairs;
  if (wanted == all - taken.size()) {
    for (Rank b = 1; b < count; ++b) {
      for (Rank a = 0; a < b; ++a) {
        if (!taken.contains({a, b})) {
          pairs.emplace_back(a, b);
        }
      }
    }
    return pairs;
  }
  while (pairs.size() < wanted) {
    const auto a = static_cast<Rank>(random() % static_cast<unsigned>(count));
    const auto b = static_cast<Rank>(random() % static_cast<unsigned>(count));
    if (a != b && taken.insert(std::minmax(a, b)).second) {
      pairs.emplace_back(std::minmax(a, b));
    }
  }
  return pairs;
}

std::size_t surprises(const PairStructure& structure, std::span<const PairProbe> probes, std::span<const Node> nodes,
                      std::span<const RankPlacement> ranks, double within_nodes) {
  const auto is_surprise = [&](const PairProbe& probe) {
    const auto [a, b] = probe.ranks;
    const std::string channel = channel_of(nodes, ranks[as_size(a)], ranks[as_size(b)]);
    const auto [low, high] = std::minmax(structure.group_of[as_size(a)], structure.group_of[as_size(b)]);
    const auto found = structure.class_of_groups.find({channel, low, high});
    if (found == structure.class_of_groups.end()) {
      return true;
    }
    const double least_share = channel == kInterNode ? kLeastProbedDifference : within_nodes;
    const std::vector<double>& expected = structure.classes[found->second].times;
    for (std::size_t i = 0; i < std::min(expected.size(), probe.times.size()); ++i) {
      const Estimate& time = probe.times[i];
      const double half = std::max((time.upper - time.lower) / 2, least_share * time.value);
      if (std::abs(time.value - expected[i]) > half) {
        return true;
      }
    }
    return false;
  };
  return static_cast<std::size_t>(std::count_if(probes.begin(), probes.end(), is_surprise));
}

int most_rounds(Rank count) {
  if (count <= kMostRanksWithAllProbed) {
    return kRoundsByChance + 1;
  }
  int rounds = 2;
  for (Rank ranks = 1; ranks < count; ranks *= 2) {
    ++rounds;
  }
  return rounds;
}

Representatives representatives_of(const PairStructure& structure, std::span<const int> host_of) {
  return {chosen_pairs(structure), chosen_ranks(kinds_of_ranks(structure), host_of)};
}

}  // namespace postage
