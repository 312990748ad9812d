#include "unit/schedule/shape.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace postage {
namespace {

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
