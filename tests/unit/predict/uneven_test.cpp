// Blocks of different sizes, by hand.
#include <postage/model/model.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

Seconds seconds(Collective collective, std::string_view algorithm, const ScheduleRequest& request,
                Evaluator evaluator) {
  const Model model = build_model(parse_parameters("hockney", "alpha=5us,beta=1ns"), std::vector<std::string>{});
  return evaluate(evaluator, build_schedule(find_algorithm(collective, algorithm), request),
                  ChannelMap::single_channel(), model);
}

// Hockney with alpha = 5 us and beta = 1 us/kB. The root sends 2000, 0 and 4000 bytes: 7 + 5 + 9 us. Down the tree 4000
// go to rank 2 with its own 0 and then on to rank 3: 9 + 9.
TEST(UnevenBlocks, OfScatter) {
  const ScheduleRequest request{.ranks = 4, .block_bytes = {1000, 2000, 0, 4000}};
  for (const Evaluator evaluator : {Evaluator::kTimeline, Evaluator::kRounds}) {
    EXPECT_NEAR(seconds(Collective::kScatter, "linear", request, evaluator), 21e-6, 1e-15);
    EXPECT_NEAR(seconds(Collective::kScatter, "binomial", request, evaluator), 18e-6, 1e-15);
  }
}

// A message of 1 MB that one pair of 64 has alone, far from the ranks that stand for others where blocks are alike.
TEST(UnevenBlocks, OfEveryRankAreLookedAt) {
  ScheduleRequest request{.ranks = 64, .block_bytes = std::vector<Bytes>(64 * 64, 0)};
  request.block_bytes[41 * 64 + 43] = 1'000'000;
  EXPECT_NEAR(seconds(Collective::kAlltoall, "pairwise", request, Evaluator::kRounds), 63 * 5e-6 + 1e-3, 1e-12);
}

}  // namespace
}  // namespace postage
