#include "unit/schedule/shape.hpp"

#include <postage/base/error.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

Traffic barrier(std::string_view name, Rank ranks) {
  return traffic_for(Collective::kBarrier, name, {.ranks = ranks});
}

TEST(Barrier, HasTheKnownNumbersOfRoundsAndMessages) {
  for (const Rank p : {2, 3, 5, 8, 16, 23, 1024}) {
    const Index core = Index{1} << floor_log2(p);
    EXPECT_EQ(barrier("linear", p), (Traffic{.messages = 2 * (p - 1), .rounds = 2}));
    EXPECT_EQ(barrier("double-ring", p), (Traffic{.messages = 2 * p, .rounds = 2 * p}));
    EXPECT_EQ(barrier("dissemination", p), (Traffic{.messages = p * ceil_log2(p), .rounds = ceil_log2(p)}));
    EXPECT_EQ(barrier("tree", p), (Traffic{.messages = 2 * (p - 1), .rounds = 2 * ceil_log2(p)}));
    EXPECT_EQ(barrier("recursive-doubling", p), (Traffic{.messages = core * floor_log2(p) + 2 * (p - core),
                                                         .rounds = floor_log2(p) + (p == core ? 0 : 2)}));
  }
}

TEST(Barrier, FoldsTheUpperRanks) {
  const Schedule schedule = schedule_for(Collective::kBarrier, "recursive-doubling", {.ranks = 3});
  EXPECT_EQ(messages_of(schedule), (std::vector<Message>{{2, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 2, 0}}));
}

TEST(Barrier, IsFoundByOtherNames) {
  EXPECT_EQ(find_algorithm(Collective::kBarrier, "gather-bcast").name, "tree");
  EXPECT_EQ(find_algorithm(Collective::kBarrier, "one-to-all").name, "linear");
  EXPECT_THROW((void)find_algorithm(Collective::kBcast, "gather-bcast"), UsageError);
}

}  // namespace
}  // namespace postage
