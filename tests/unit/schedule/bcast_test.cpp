#include "unit/schedule/shape.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace postage {
namespace {

constexpr Bytes kBroadcast = 1024;

Schedule bcast(std::string_view name, const ScheduleRequest& request) {
  return schedule_for(Collective::kBcast, name, request);
}

Traffic bcast_traffic(std::string_view name, Rank ranks, const ParameterValues& parameters = {}) {
  return traffic_for(Collective::kBcast, name, {.ranks = ranks, .bytes = kBroadcast, .parameters = parameters});
}

Index ceil_log(Index radix, Index value) {
  Index levels = 0;
  for (Index reach = 1; reach < value; reach *= radix) {
    ++levels;
  }
  return levels;
}

/// Whom each rank has the message from.
std::map<Rank, Rank> parents_of(const Schedule& schedule) {
  std::map<Rank, Rank> parents;
  for (const auto& [source, target, bytes] : messages_of(schedule)) {
    EXPECT_TRUE(parents.emplace(target, source).second) << "rank " << target << " receives twice";
  }
  return parents;
}

TEST(BcastTrees, SendEveryOtherRankOneMessageInTheKnownNumberOfRounds) {
  for (const Rank p : {2, 3, 7, 8, 9, 31, 32, 100, 1 << 20}) {
    const auto tree = [&](Index rounds) {
      return Traffic{.messages = p - 1, .bytes = (p - 1) * kBroadcast, .rounds = rounds};
    };
    EXPECT_EQ(bcast_traffic("linear", p), tree(1));
    EXPECT_EQ(bcast_traffic("pipeline", p), tree(p - 1));
    EXPECT_EQ(bcast_traffic("chain", p), tree((p + 2) / 4));
    EXPECT_EQ(bcast_traffic("chain", p, {{"chains", 7}}), tree((p + 5) / 7));
    EXPECT_EQ(bcast_traffic("binary", p), tree(floor_log2(p)));
    EXPECT_EQ(bcast_traffic("binomial", p), tree(ceil_log2(p)));
    EXPECT_EQ(bcast_traffic("binomial-doubling", p), tree(ceil_log2(p)));
    EXPECT_EQ(bcast_traffic("binomial-opt", p), tree(ceil_log2(p)));
    EXPECT_EQ(bcast_traffic("binomial-simple", p), tree(ceil_log2(p)));
    EXPECT_EQ(bcast_traffic("knomial", p), tree(ceil_log(4, p)));
    EXPECT_EQ(bcast_traffic("knomial", p, {{"radix", 3}}), tree(ceil_log(3, p)));
  }
}

TEST(Binomial, SendsTheLargestSubtreeFirst) {
  EXPECT_EQ(messages_of(bcast("binomial", {.ranks = 6, .root = 1, .bytes = 10})),
            (std::vector<Message>{{1, 5, 10}, {1, 3, 10}, {1, 2, 10}, {3, 4, 10}, {5, 0, 10}}));
}

TEST(BinomialDoubling, SendsToTheNearestFirst) {
  EXPECT_EQ(messages_of(bcast("binomial-doubling", {.ranks = 6, .root = 1, .bytes = 10})),
            (std::vector<Message>{{1, 2, 10}, {1, 3, 10}, {2, 4, 10}, {1, 5, 10}, {2, 0, 10}}));
}

TEST(BinomialSimple, IsTheBinomialTreeOfGets) {
  for (const Rank ranks : {2, 3, 13, 16, 37}) {
    const ScheduleRequest request{.ranks = ranks, .root = 1, .bytes = 8};
    EXPECT_EQ(messages_of(bcast("binomial-simple", request)), messages_of(bcast("binomial", request)));
  }
}

TEST(BinomialOpt, AcknowledgesEveryMessage) {
  for (const auto& [name, protocol] :
       {std::pair{"binomial-opt", Protocol::kAcknowledged}, std::pair{"binomial-simple", Protocol::kGet},
        std::pair{"binomial", Protocol::kDefault}}) {
    for_each_transfer(
        bcast(name, {.ranks = 9, .bytes = 8}),
        [&, wanted = protocol](const RoundPosition&, const Transfer& t) { EXPECT_EQ(t.pattern->protocol, wanted); });
  }
}

TEST(Pipeline, CutsTheMessageIntoSegments) {
  EXPECT_EQ(messages_of(bcast("pipeline", {.ranks = 3, .bytes = 10, .segment_bytes = 4})),
            (std::vector<Message>{{0, 1, 4}, {1, 2, 4}, {0, 1, 4}, {1, 2, 4}, {0, 1, 2}, {1, 2, 2}}));
  // As long as they were asked for, and not 5, 5 and 3.
  EXPECT_EQ(messages_of(bcast("pipeline", {.ranks = 2, .bytes = 13, .segment_bytes = 6})),
            (std::vector<Message>{{0, 1, 6}, {0, 1, 6}, {0, 1, 1}}));
}

TEST(Chain, PutsTheLongerChainsFirst) {
  EXPECT_EQ(messages_of(bcast("chain", {.ranks = 6, .root = 2, .bytes = 9, .parameters = {{"chains", 2}}})),
            (std::vector<Message>{{2, 3, 9}, {2, 0, 9}, {3, 4, 9}, {0, 1, 9}, {4, 5, 9}}));
  EXPECT_EQ(messages_of(bcast("chain", {.ranks = 4, .bytes = 9, .parameters = {{"chains", 100}}})),
            messages_of(bcast("linear", {.ranks = 4, .bytes = 9})));
  EXPECT_EQ(messages_of(bcast("chain", {.ranks = 9, .bytes = 9, .parameters = {{"chains", 1}}})),
            messages_of(bcast("pipeline", {.ranks = 9, .bytes = 9})));
}

TEST(Chain, ListsARanksOwnRoundsWithoutTheOthers) {
  const Schedule schedule = bcast("chain", {.ranks = 1 << 20, .bytes = 9});
  for (const Rank rank : {1, 2, 300000, (1 << 20) - 1}) {
    Index rounds = 0;
    for_each_rank_round(schedule, rank, [&](const RankRound&) { ++rounds; });
    EXPECT_LE(rounds, 2);
  }
}

/// The numbering of Open MPI's binary tree: a rank of level l has the children 2^l and 2*2^l further.
TEST(Binary, PutsOddRanksUnderTheFirstChild) {
  for (const auto& [child, parent] : parents_of(bcast("binary", {.ranks = 1000, .bytes = 1}))) {
    const Index width = Index{1} << floor_log2(parent + 1);
    EXPECT_TRUE(child == parent + width || child == parent + 2 * width) << parent << " -> " << child;
    EXPECT_TRUE(parent == 0 || child % 2 == parent % 2);
  }
}

TEST(SplitBinary, SendsEachHalfDownItsSubtreeAndExchanges) {
  EXPECT_EQ(messages_of(bcast("split-binary", {.ranks = 6, .bytes = 9})), (std::vector<Message>{{0, 1, 5},
                                                                                                {0, 2, 4},
                                                                                                {1, 3, 5},
                                                                                                {2, 4, 4},
                                                                                                {1, 5, 5},
                                                                                                {1, 2, 5},
                                                                                                {3, 4, 5},
                                                                                                {2, 1, 4},
                                                                                                {4, 3, 4},
                                                                                                {0, 5, 4}}));
  for (const Rank p : {2, 3, 8, 9, 64, 1001}) {
    EXPECT_EQ(bcast_traffic("split-binary", p),
              (Traffic{.messages = 2 * (p - 1), .bytes = (p - 1) * kBroadcast, .rounds = floor_log2(p) + 1}));
  }
}

TEST(SplitBinary, LeavesTheExchangeWhole) {
  const Schedule schedule = bcast("split-binary", {.ranks = 7, .bytes = 1024, .segment_bytes = 64});
  EXPECT_EQ(schedule.stages.at(0).segments, 8);
  EXPECT_EQ(schedule.stages.at(1).segments, 1);
}

TEST(Knomial, SendsToTheFarthestLevelFirst) {
  EXPECT_EQ(messages_of(bcast("knomial", {.ranks = 10, .bytes = 1})),
            (std::vector<Message>{
                {0, 4, 1}, {0, 8, 1}, {0, 1, 1}, {4, 5, 1}, {8, 9, 1}, {0, 2, 1}, {4, 6, 1}, {0, 3, 1}, {4, 7, 1}}));
}

TEST(ScatterAllgather, MovesTheKnownBytes) {
  for (const Rank p : {2, 4, 16, 1024}) {
    const Index levels = ceil_log2(p);
    const Bytes scattered = kBroadcast / 2 * levels;
    EXPECT_EQ(
        bcast_traffic("scatter-rd-allgather", p),
        (Traffic{.messages = p - 1 + p * levels, .bytes = scattered + (p - 1) * kBroadcast, .rounds = 2 * levels}));
    EXPECT_EQ(bcast_traffic("scatter-ring-allgather", p), (Traffic{.messages = p - 1 + p * (p - 1),
                                                                   .bytes = scattered + (p - 1) * kBroadcast,
                                                                   .rounds = levels + p - 1}));
  }
}

TEST(ScatterAllgather, HandsDownWhatRanksWithoutPartnersMiss) {
  // Rank 4 has no partner but rank 0, which tells rank 2; both tell the odd ones.
  const Schedule schedule = bcast("scatter-rd-allgather", {.ranks = 5, .bytes = 5});
  std::vector<Message> allgather = messages_of(schedule);
  allgather.erase(allgather.begin(), allgather.begin() + 4);
  EXPECT_EQ(allgather, (std::vector<Message>{{0, 1, 1},
                                             {2, 3, 1},
                                             {1, 0, 1},
                                             {3, 2, 1},
                                             {0, 2, 2},
                                             {1, 3, 2},
                                             {2, 0, 2},
                                             {3, 1, 2},
                                             {0, 4, 4},
                                             {4, 0, 1},
                                             {0, 2, 1},
                                             {0, 1, 1},
                                             {2, 3, 1}}));
  for (Rank p = 2; p < 2000; ++p) {
    EXPECT_LE(bcast_traffic("scatter-rd-allgather", p).rounds, 3 * ceil_log2(p)) << p;
  }
}

TEST(SegmentedBinomial, SendsHalvesInTheRoundsOfItsModel) {
  for (const Rank p : {2, 4, 16, 1024}) {
    EXPECT_EQ(bcast_traffic("segmented-binomial", p),
              (Traffic{.messages = 2 * (p - 1), .bytes = (p - 1) * kBroadcast, .rounds = ceil_log2(p) + 1}));
  }
  EXPECT_EQ(
      messages_of(bcast("segmented-binomial", {.ranks = 5, .bytes = 5})),
      (std::vector<Message>{{0, 3, 2}, {0, 2, 3}, {0, 1, 3}, {3, 4, 2}, {0, 3, 3}, {1, 4, 3}, {4, 1, 2}, {0, 2, 2}}));
}

TEST(HybridSegmented, CrossesBetweenTheGroupsOnce) {
  for (const Rank root : {0, 3, 8, 13}) {
    const Schedule schedule = bcast("hybrid-segmented", {.ranks = 16, .root = root, .bytes = kBroadcast});
    std::vector<Message> crossing;
    for (const Message& message : messages_of(schedule)) {
      if (std::get<0>(message) / 8 != std::get<1>(message) / 8) {
        crossing.push_back(message);
      }
    }
    EXPECT_EQ(crossing, (std::vector<Message>{{root, root < 8 ? 8 : 0, kBroadcast}}));
    EXPECT_EQ(traffic_of(schedule), (Traffic{.messages = 1 + 2 * 2 * 7, .bytes = 15 * kBroadcast, .rounds = 5}));
  }
  EXPECT_EQ(bcast_traffic("hybrid-segmented", 6, {{"groups", 100}}), bcast_traffic("binomial", 6));
}

TEST(SegmentedBcasts, AcknowledgeIfAsked) {
  for (const char* name : {"segmented-binomial", "hybrid-segmented"}) {
    for (const Index acknowledged : {0, 1}) {
      const Schedule schedule = bcast(name, {.ranks = 9, .bytes = 8, .parameters = {{"acknowledged", acknowledged}}});
      for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& transfer) {
        EXPECT_EQ(transfer.pattern->protocol, acknowledged == 1 ? Protocol::kAcknowledged : Protocol::kDefault);
      });
    }
  }
}

}  // namespace
}  // namespace postage
