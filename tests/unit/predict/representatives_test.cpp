#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

struct Tree {
  Collective collective;
  const char* algorithm;
};

// Whether P is a power of two or not, a few forms of sub-trees stand for a million ranks.
TEST(Representatives, StandForTheRanksOfTrees) {
  const std::vector<std::string> all{"all"};
  const Model model = build_model(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), all);
  for (const auto& [collective, algorithm] :
       {Tree{Collective::kBcast, "binomial"}, Tree{Collective::kBcast, "knomial"},
        Tree{Collective::kReduce, "binomial"}, Tree{Collective::kBcast, "binomial-simple"}}) {
    for (const Rank ranks : {1000, 1 << 20, 1'000'003}) {
      const Schedule schedule = build_schedule(find_algorithm(collective, algorithm), {.ranks = ranks, .bytes = 1024});
      EXPECT_TRUE(play_representatives(schedule, ChannelMap::single_channel(), model, 10'000))
          << name_of(collective) << " " << algorithm << " P=" << ranks;
      EXPECT_EQ(choose_evaluator(schedule, ChannelMap::single_channel(), model), Evaluator::kTimeline);
    }
  }
}

}  // namespace
}  // namespace postage
