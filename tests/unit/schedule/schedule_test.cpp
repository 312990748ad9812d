#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace postage {
namespace {

using Message = std::tuple<Rank, Rank, Bytes>;

std::vector<Message> messages_of(const Schedule& schedule) {
  std::vector<Message> all;
  for_each_transfer(schedule, [&](const Place&, const Transfer& t) { all.emplace_back(t.source, t.target, t.bytes); });
  return all;
}

Schedule bcast(std::string_view name, ScheduleRequest request) {
  return build_schedule(find_algorithm(Collective::kBcast, name), request);
}

TEST(Binomial, SendsTheLargestSubtreeFirst) {
  EXPECT_EQ(messages_of(bcast("binomial", {.ranks = 6, .root = 1, .bytes = 10})),
            (std::vector<Message>{{1, 5, 10}, {1, 3, 10}, {1, 2, 10}, {3, 4, 10}, {5, 0, 10}}));
}

TEST(Chain, CutsTheMessageIntoSegments) {
  EXPECT_EQ(messages_of(bcast("chain", {.ranks = 3, .bytes = 10, .segment_bytes = 4})),
            (std::vector<Message>{{0, 1, 4}, {1, 2, 4}, {0, 1, 4}, {1, 2, 4}, {0, 1, 2}, {1, 2, 2}}));
}

TEST(EveryAlgorithm, ListsEachRanksOwnOperationsInTheGlobalOrder) {
  for (const Algorithm& algorithm : algorithms()) {
    for (Rank ranks = 1; ranks <= 20; ++ranks) {
      if (!can_do(algorithm, ranks)) {
        continue;
      }
      for (const Bytes segment : {0, 7}) {
        const Schedule schedule = build_schedule(
            algorithm, {.ranks = ranks, .root = ranks / 2, .bytes = 24, .element_bytes = 2, .segment_bytes = segment});
        std::vector<std::vector<Message>> sends(static_cast<std::size_t>(ranks));
        std::vector<std::vector<Message>> receives(sends.size());
        for (const Message& m : messages_of(schedule)) {
          sends[static_cast<std::size_t>(std::get<0>(m))].push_back(m);
          receives[static_cast<std::size_t>(std::get<1>(m))].push_back(m);
        }
        for (Rank rank = 0; rank < ranks; ++rank) {
          std::vector<Message> own_sends;
          std::vector<Message> own_receives;
          for_each_rank_round(schedule, rank, [&](const RankRound& round) {
            for (const Transfer& t : round.sends) {
              own_sends.emplace_back(t.source, t.target, t.bytes);
            }
            for (const Transfer& t : round.receives) {
              own_receives.emplace_back(t.source, t.target, t.bytes);
            }
          });
          EXPECT_EQ(own_sends, sends[static_cast<std::size_t>(rank)]) << algorithm.name << " P=" << ranks;
          EXPECT_EQ(own_receives, receives[static_cast<std::size_t>(rank)]) << algorithm.name << " P=" << ranks;
        }
      }
    }
  }
}

}  // namespace
}  // namespace postage
