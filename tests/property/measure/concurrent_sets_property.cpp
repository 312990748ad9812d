#include "support/exhaustive.hpp"

#include <postage/measure/concurrent_sets.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace postage {
namespace {

/// True where no host works for two groups of a set.
bool disjoint(const std::vector<ConcurrentSet>& sets, const std::vector<int>& host_of) {
  for (const ConcurrentSet& set : sets) {
    std::set<int> busy;
    for (const RankGroup& group : set) {
      std::set<int> hosts;
      for (const Rank rank : group) {
        hosts.insert(host_of.at(static_cast<std::size_t>(rank)));
      }
      for (const int host : hosts) {
        if (!busy.insert(host).second) {
          return false;
        }
      }
    }
  }
  return true;
}

std::vector<int> single_hosts(Rank count) {
  std::vector<int> hosts;
  for (int i = 0; i < count; ++i) {
    hosts.push_back(i);
  }
  return hosts;
}

std::set<Rank> members(const RankGroup& group) {
  return {group.begin(), group.end()};
}

/// How many groups each of 0 .. count-1 is in.
std::vector<int> times_in(const std::vector<ConcurrentSet>& sets, Rank count) {
  std::vector<int> times(static_cast<std::size_t>(count));
  for (const RankGroup& group : groups_of(sets)) {
    for (const Rank rank : group) {
      ++times[static_cast<std::size_t>(rank)];
    }
  }
  return times;
}

TEST(PairSets, AreAFactorisationOfEveryCompleteGraph) {
  for (const Rank count : test::rank_counts(300)) {
    if (count < 2) {
      continue;
    }
    const std::vector<ConcurrentSet> sets = pair_sets(count);
    ASSERT_EQ(sets.size(), static_cast<std::size_t>(count % 2 == 0 ? count - 1 : count)) << count;
    ASSERT_TRUE(disjoint(sets, single_hosts(count))) << count;
    std::set<std::set<Rank>> pairs;
    std::vector<int> first(static_cast<std::size_t>(count));
    for (const RankGroup& group : groups_of(sets)) {
      ASSERT_EQ(group.size(), 2U);
      ASSERT_TRUE(pairs.insert(members(group)).second) << count << " has a pair twice";
      ++first[static_cast<std::size_t>(group[0])];
    }
    ASSERT_EQ(pairs.size(), static_cast<std::size_t>(count) * static_cast<std::size_t>(count - 1) / 2) << count;
    const auto [least, most] = std::minmax_element(first.begin(), first.end());
    ASSERT_LE(*most - *least, 2) << count << ": some item is first much more often than another";
  }
}

RC_GTEST_PROP(TripletSets, AreDisjointAndServeEveryItemOftenEnough, ()) {
  const auto count = static_cast<Rank>(*rc::gen::inRange(2, 301));
  const int at_least = *rc::gen::inRange(1, 13);
  const std::vector<ConcurrentSet> sets = triplet_sets(count, at_least);
  if (count < 3) {
    RC_ASSERT(sets.empty());
    return;
  }
  RC_ASSERT(disjoint(sets, single_hosts(count)));
  std::set<RankGroup> distinct;
  for (const RankGroup& group : groups_of(sets)) {
    RC_ASSERT(group.size() == 3U);
    RC_ASSERT(members(group).size() == 3U);
    RC_ASSERT(distinct.insert(group).second);
  }
  const std::vector<int> times = times_in(sets, count);
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  const int possible = (count - 1) * (count - 2) / 2;
  if (2 * at_least > possible) {
    RC_ASSERT(distinct.size() == static_cast<std::size_t>(count * possible / 3));
    RC_ASSERT(sets.size() <= static_cast<std::size_t>(3 * possible));
    return;
  }
  RC_ASSERT(*least >= at_least);
  RC_ASSERT(*most <= *least + 1);
  const int places = 3 * (count / 3);
  RC_ASSERT(sets.size() == static_cast<std::size_t>((at_least * count + places - 1) / places));
}

TEST(TripletSets, AllTripletsOfSmallClusters) {
  for (Rank count = 3; count <= 20; ++count) {
    const int possible = (count - 1) * (count - 2) / 2;
    const std::vector<ConcurrentSet> sets = triplet_sets(count, possible);
    std::set<RankGroup> distinct;
    for (const RankGroup& group : groups_of(sets)) {
      distinct.insert(group);
    }
    EXPECT_EQ(distinct.size(), static_cast<std::size_t>(count * possible / 3)) << count;
    EXPECT_TRUE(disjoint(sets, single_hosts(count))) << count;
  }
}

// Triplets meet as many different partners as they can: after k triplets an item has met 2k others, where there are so
// many.
TEST(TripletSets, MeetDifferentPartners) {
  for (const Rank count : {48, 96, 255}) {
    std::map<Rank, std::set<Rank>> met;
    for (const RankGroup& group : groups_of(triplet_sets(count, 10))) {
      for (const Rank a : group) {
        met[a].insert(group.begin(), group.end());
      }
    }
    for (const auto& [item, others] : met) {
      EXPECT_GE(others.size() - 1, 17U) << item << " of " << count;
    }
  }
}

/// Hosts with 1 .. 5 ranks each, dealt in some order.
std::vector<int> any_hosts(Rank most) {
  const auto count = *rc::gen::inRange<Rank>(2, most + 1);
  const int hosts = *rc::gen::inRange(1, count + 1);
  std::vector<int> host_of;
  for (Rank rank = 0; rank < count; ++rank) {
    host_of.push_back(rank < hosts ? rank : *rc::gen::inRange(0, hosts));
  }
  return host_of;
}

RC_GTEST_PROP(PairsToMeasure, OfUpTo64RanksAreAllAndKeepHostsApart, ()) {
  const std::vector<int> host_of = any_hosts(24);
  const std::vector<ConcurrentSet> sets = pairs_to_measure(host_of);
  RC_ASSERT(disjoint(sets, host_of));
  std::set<std::set<Rank>> pairs;
  for (const RankGroup& group : groups_of(sets)) {
    RC_ASSERT(pairs.insert(members(group)).second);
  }
  RC_ASSERT(pairs.size() == host_of.size() * (host_of.size() - 1) / 2);
}

RC_GTEST_PROP(PairsToMeasure, OfMoreRanksCoverHostsAndNeighbours, ()) {
  const int hosts = *rc::gen::inRange(1, 12);
  const int per_host = *rc::gen::inRange(64 / hosts + 1, 80 / hosts + 20);
  std::vector<int> host_of;
  for (int rank = 0; rank < hosts * per_host; ++rank) {
    host_of.push_back(rank / per_host);
  }
  const std::vector<ConcurrentSet> sets = pairs_to_measure(host_of);
  RC_ASSERT(disjoint(sets, host_of));
  std::set<std::set<Rank>> pairs;
  std::set<std::set<int>> host_pairs;
  for (const RankGroup& group : groups_of(sets)) {
    RC_ASSERT(pairs.insert(members(group)).second);
    host_pairs.insert({host_of[static_cast<std::size_t>(group[0])], host_of[static_cast<std::size_t>(group[1])]});
  }
  // All pairs of hosts, and each host with itself where it has two ranks.
  RC_ASSERT(host_pairs.size() == static_cast<std::size_t>(hosts * (hosts - 1) / 2 + (per_host > 1 ? hosts : 0)));
  const std::vector<int> times = times_in(sets, static_cast<Rank>(host_of.size()));
  RC_ASSERT(*std::min_element(times.begin(), times.end()) >= (per_host > 1 ? 1 : hosts - 1));
}

RC_GTEST_PROP(TripletsToMeasure, LetEveryRankComeFirst, ()) {
  const std::vector<int> host_of = any_hosts(24);
  const int at_least = *rc::gen::inRange(1, 5);
  const std::vector<ConcurrentSet> sets = triplets_to_measure(host_of, at_least);
  RC_ASSERT(disjoint(sets, host_of));
  std::map<Rank, int> first;
  for (const RankGroup& group : groups_of(sets)) {
    RC_ASSERT(members(group).size() == 3U);
    ++first[group[0]];
  }
  const int hosts = *std::max_element(host_of.begin(), host_of.end()) + 1;
  const auto units = static_cast<int>(hosts >= 3 ? static_cast<std::size_t>(hosts) : host_of.size());
  const int possible = (units - 1) * (units - 2) / 2;
  for (std::size_t rank = 0; units >= 3 && rank < host_of.size(); ++rank) {
    const auto own = std::count(host_of.begin(), host_of.end(), host_of[rank]);
    // Where hosts have more ranks than there are triplets, not every rank can have its own.
    const int share = hosts >= 3 ? static_cast<int>(possible / own) : possible;
    RC_ASSERT(first[static_cast<Rank>(rank)] >= std::min(at_least, share));
  }
}

// A rank that is the source of an experiment is so again with its targets exchanged.
RC_GTEST_PROP(TripletsToMeasure, ComeInBothOrders, ()) {
  const std::vector<RankGroup> groups = groups_of(triplets_to_measure(any_hosts(16), *rc::gen::inRange(1, 9)));
  const std::set<RankGroup> all(groups.begin(), groups.end());
  for (const RankGroup& group : groups) {
    RC_ASSERT(all.contains({group[0], group[2], group[1]}));
  }
}

// What docs/measuring.md says of how campaigns grow.
TEST(ConcurrentSets, GrowLinearlyWithTheHosts) {
  for (const Rank count : {16, 64, 256}) {
    const std::vector<int> hosts = single_hosts(count);
    EXPECT_EQ(pairs_to_measure(hosts).size(), static_cast<std::size_t>(count - 1));
    EXPECT_EQ(triplets_to_measure(hosts, 10).size(), 6U * 6U);
  }
}

TEST(OneByOne, KeepsEveryGroup) {
  const std::vector<ConcurrentSet> sets = pair_sets(7);
  const std::vector<ConcurrentSet> single = one_by_one(sets);
  EXPECT_EQ(single.size(), 21U);
  EXPECT_EQ(groups_of(single), groups_of(sets));
}

}  // namespace
}  // namespace postage
