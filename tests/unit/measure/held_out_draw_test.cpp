#include <postage/measure/collective_data.hpp>
#include <postage/measure/held_out_draw.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace postage {
namespace {

std::string text_of(const std::vector<CollectiveRun>& runs) {
  std::string text;
  for (const CollectiveRun& run : runs) {
    text += format_collective_run(run) + "\n";
  }
  return text;
}

TEST(HeldOutDraw, IsTheSameForTheSameSeed) {
  EXPECT_EQ(text_of(draw_held_out(12, {.count = 40})), text_of(draw_held_out(12, {.count = 40})));
  EXPECT_NE(text_of(draw_held_out(12, {.count = 40})), text_of(draw_held_out(12, {.count = 40, .seed = 2})));
  EXPECT_TRUE(draw_held_out(1, {.count = 40}).empty());
}

/// Every collective, several sizes, some beside powers of two, roots and numbers of ranks; each can be run.
TEST(HeldOutDraw, VisitsAllThatThereIs) {
  for (const Rank ranks : {2, 3, 12, 64}) {
    std::set<Collective> collectives;
    std::set<Bytes> sizes;
    std::set<Rank> roots;
    std::set<Rank> counts;
    bool is_beside = false;
    for (const CollectiveRun& run : draw_held_out(ranks, {.count = 120, .is_virtual = true})) {
      collectives.insert(run.collective);
      sizes.insert(run.bytes);
      roots.insert(run.root);
      counts.insert(run.ranks);
      is_beside = is_beside || run.bytes == 4095 || run.bytes == 8193 || run.bytes == 32767 || run.bytes == 65537;
      EXPECT_GE(run.ranks, 2);
      EXPECT_LE(run.ranks, ranks);
      EXPECT_LT(run.root, run.ranks);
      EXPECT_EQ(schedule_of(run, run.ranks).ranks, run.ranks) << format_collective_run(run);
    }
    EXPECT_EQ(collectives.size(), 11U);
    EXPECT_GT(sizes.size(), 40U);
    EXPECT_TRUE(is_beside);
    if (ranks > 2) {
      EXPECT_GT(roots.size(), 2U);
      EXPECT_GT(counts.size(), 1U);
    }
  }
}

/// What a simulator has to do grows with the ranks, not with their square.
TEST(HeldOutDraw, IsBoundedInSimulations) {
  for (const Rank ranks : {16, 64, 256}) {
    Index messages = 0;
    for (const CollectiveRun& run : draw_held_out(ranks, {.count = 60, .is_virtual = true})) {
      messages += traffic_of(schedule_of(run, run.ranks)).messages;
    }
    EXPECT_LT(messages, 1700 * Index{ranks});
    EXPECT_GT(messages, 100 * Index{ranks});
  }
}

TEST(HeldOutDraw, IsBesideTheLimitsThatAreKnown) {
  std::size_t beside = 0;
  for (const CollectiveRun& run : draw_held_out(12, {.count = 100, .limits = {12288}})) {
    beside += run.bytes >= 12287 && run.bytes <= 12289 ? 1 : 0;
  }
  EXPECT_GT(beside, 30U);
  EXPECT_LT(beside, 70U);
}

TEST(CollectiveRuns, SayHowManyRanksAndSteps) {
  const CollectiveRun run = parse_collective_run("allreduce:ring:64K:ranks=6:steps=3");
  EXPECT_EQ(run.ranks, 6);
  EXPECT_EQ(run.steps, 3);
  EXPECT_EQ(format_collective_run(run), "allreduce:ring:64K:ranks=6:steps=3");
  EXPECT_LT(traffic_of(schedule_of(run, 6)).rounds,
            traffic_of(schedule_of({run.collective, "ring", run.bytes}, 6)).rounds);
}

}  // namespace
}  // namespace postage
