#include <postage/measure/concurrent_sets.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>

namespace postage {
namespace {

std::size_t index_of_rank(Rank rank) {
  return static_cast<std::size_t>(rank);
}

std::vector<int> each_its_own_host(Rank count) {
  std::vector<int> hosts(index_of_rank(count));
  std::iota(hosts.begin(), hosts.end(), 0);
  return hosts;
}

std::vector<ConcurrentSet> all_triplets(Rank count) {
  std::vector<RankGroup> groups;
  for (Rank a = 0; a < count; ++a) {
    for (Rank b = a + 1; b < count; ++b) {
      for (Rank c = b + 1; c < count; ++c) {
        groups.push_back({a, b, c});
      }
    }
  }
  return pack_into_sets(groups, each_its_own_host(count));
}

/// Joins items into triplets, set after set: see triplet_sets.
class TripletMaker {
 public:
  explicit TripletMaker(Rank count)
      : count_(count), triplets_(index_of_rank(count)), together_(index_of_rank(count) * index_of_rank(count)) {}

  ConcurrentSet next_set() {
    std::vector<Rank> waiting = neediest();
    // Those who come last have no choice left: let that be others every time.
    const auto turn =
        static_cast<std::ptrdiff_t>(index_of_rank(sets_++) * index_of_rank(count_) * 5 / 13 % waiting.size());
    std::rotate(waiting.begin(), waiting.begin() + turn, waiting.end());
    ConcurrentSet set;
    while (!waiting.empty()) {
      const Rank first = waiting.front();
      waiting.erase(waiting.begin());
      const Rank second = take(waiting, [&](Rank b) { return std::pair(met(first, b), around(first, b)); });
      const Rank third =
          take(waiting, [&](Rank c) { return std::pair(met(first, c) + met(second, c), around(second, c)); });
      set.push_back(sorted({first, second, third}));
    }
    for (RankGroup& triplet : set) {
      make_new(triplet, set);
    }
    for (const RankGroup& triplet : set) {
      note(triplet);
    }
    return set;
  }

 private:
  /// The 3*floor(count/3) items with the fewest triplets so far.
  [[nodiscard]] std::vector<Rank> neediest() const {
    std::vector<Rank> items(index_of_rank(count_));
    std::iota(items.begin(), items.end(), 0);
    std::stable_sort(items.begin(), items.end(),
                     [&](Rank a, Rank b) { return triplets_[index_of_rank(a)] < triplets_[index_of_rank(b)]; });
    items.resize(index_of_rank(count_ - count_ % 3));
    return items;
  }

  /// Where an earlier set had this triplet, exchanges a member with another triplet of the set, if both are new
  /// then.
  void make_new(RankGroup& triplet, ConcurrentSet& set) const {
    for (std::size_t i = 0; i < 9 * set.size() && used_.count(triplet) > 0; ++i) {
      RankGroup& other = set[i / 9];
      RankGroup mine = triplet;
      RankGroup theirs = other;
      std::swap(mine[i / 3 % 3], theirs[i % 3]);
      mine = sorted(mine);
      theirs = sorted(theirs);
      if (&other != &triplet && used_.count(mine) == 0 && used_.count(theirs) == 0) {
        triplet = mine;
        other = theirs;
      }
    }
  }

  template <typename Key>
  static Rank take(std::vector<Rank>& waiting, const Key& key) {
    const auto best = std::min_element(waiting.begin(), waiting.end(), [&](Rank a, Rank b) { return key(a) < key(b); });
    const Rank chosen = *best;
    waiting.erase(best);
    return chosen;
  }

  void note(const RankGroup& triplet) {
    used_.insert(triplet);
    for (const Rank a : triplet) {
      ++triplets_[index_of_rank(a)];
      for (const Rank b : triplet) {
        ++together_[index_of_rank(a) * index_of_rank(count_) + index_of_rank(b)];
      }
    }
  }

  static RankGroup sorted(RankGroup group) {
    std::sort(group.begin(), group.end());
    return group;
  }
  [[nodiscard]] int met(Rank a, Rank b) const {
    return together_[index_of_rank(a) * index_of_rank(count_) + index_of_rank(b)];
  }
  /// How far b is after a, around the circle: breaks ties so that neighbours do not are always joined with the same
  /// ones.
  [[nodiscard]] Rank around(Rank a, Rank b) const { return (b - a + count_) % count_; }

  Rank count_;
  Rank sets_ = 0;
  std::vector<int> triplets_;
  std::vector<int> together_;
  std::set<RankGroup> used_;
};

/// Of more items not every two are remembered.
constexpr Rank kMostRemembered = 512;

/// Three at a time along the circle, in steps that share no factor with the number of items and differ from set to set;
/// those that are left over do, too.
ConcurrentSet set_in_steps(Rank count, Rank number) {
  Rank step = 1;
  for (Rank found = -1; found < number; found += std::gcd(step, count) == 1 ? 1 : 0) {
    ++step;
  }
  ConcurrentSet set;
  std::int64_t at_item = 2 * std::int64_t{number};
  for (Rank i = 0; i + 2 < count; i += 3) {
    RankGroup triplet;
    for (int member = 0; member < 3; ++member) {
      triplet.push_back(static_cast<Rank>(at_item % count));
      at_item += step;
    }
    std::sort(triplet.begin(), triplet.end());
    set.push_back(std::move(triplet));
  }
  return set;
}

}  // namespace

std::vector<ConcurrentSet> triplet_sets(Rank count, int at_least) {
  std::vector<ConcurrentSet> sets;
  if (count < 3 || at_least < 1) {
    return sets;
  }
  const std::int64_t possible = std::int64_t{count - 1} * (count - 2) / 2;
  if (2 * std::int64_t{at_least} > possible) {
    return all_triplets(count);
  }
  const std::int64_t seats = 3 * (count / 3);
  const std::int64_t needed = (std::int64_t{at_least} * count + seats - 1) / seats;
  if (count > kMostRemembered) {
    for (Rank i = 0; i < needed + 1; ++i) {
      sets.push_back(set_in_steps(count, i));
    }
    return sets;
  }
  TripletMaker maker(count);
  for (std::int64_t i = 0; i < needed; ++i) {
    sets.push_back(maker.next_set());
  }
  return sets;
}

}  // namespace postage
