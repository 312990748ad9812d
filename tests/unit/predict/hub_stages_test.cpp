#include <postage/model/model.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace postage {
namespace {

/// More than 20,000 messages of each of the schedules below.
constexpr Rank kManyRanks = 20'100;

Schedule hub_schedule(Collective collective, Rank root) {
  const std::string name = collective == Collective::kScatter ? "linear-sync" : "linear";
  return build_schedule(find_algorithm(collective, name),
                        {.ranks = kManyRanks,
                         .root = root,
                         .bytes = collective == Collective::kScatter ? Bytes{kManyRanks} * 32'768 : Bytes{32'768}});
}

/// One measured rank on each of three nodes; 20,097 others are alike.
ChannelMap three_measured_nodes() {
  Platform platform{.channels = {kInterNode}};
  for (Rank rank = 0; rank < 3; ++rank) {
    platform.nodes.push_back({"n", {{{0, 0, 0, 0}}}});
    platform.ranks.push_back({rank, 0});
  }
  return {platform, Mapping::block(kManyRanks, 1)};
}

/// What a model says of `schedule` by the evaluator that it takes itself, over what it says where all messages are
/// followed by `evaluator`.
double chosen_over_followed(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                            Evaluator evaluator) {
  EXPECT_EQ(choose_evaluator(schedule, channels, model), evaluator) << schedule.algorithm;
  return evaluate(schedule, channels, model) / evaluate(evaluator, schedule, channels, model);
}

/// Each leaf's message takes 82.8 us, and the root is ready for the next one after 1 us: 0.02 s, not 1.67.
TEST(HubStages, TakeWhatTheHubTakes) {
  const Model model = build_model(parse_parameters("flow", "L=48us,o=1us,G=1ns"), {});
  const Schedule schedule = hub_schedule(Collective::kReduce, 0);
  const Seconds seconds = evaluate(schedule, ChannelMap::single_channel(), model);
  EXPECT_NEAR(seconds, (kManyRanks - 1) * 1e-6 + (1 + 48 + 32.768) * 1e-6, 1e-6);
}

TEST(HubStages, AreWhatPortionsOfAllMessagesAre) {
  for (const std::string text : {"L=5us,o=1us,G=1ns,B_node=1GB/s,S=16K", "L=5us,o=1us,G=1ns,B_receive=1GB/s,S=64K",
                                 "L=50us,o=5us,G=1ns,w=3us"}) {
    const Model model = build_model(parse_parameters("flow", text), {});
    for (const Collective collective : {Collective::kReduce, Collective::kScatter, Collective::kAllreduce}) {
      const Rank root = collective == Collective::kAllreduce ? 0 : 7'000;
      EXPECT_NEAR(chosen_over_followed(hub_schedule(collective, root), ChannelMap::single_channel(), model,
                                       Evaluator::kPortions),
                  1, 1e-3)
          << text << " " << name_of(collective);
    }
  }
}

/// Root 7,000 meets the measured ranks long after the first iterations.
TEST(HubStages, AreNearTheTimelineWhereFewRanksDiffer) {
  const ChannelMap channels = three_measured_nodes();
  const Model model =
      build_model(parse_parameters("lmo",
                                   "C=40us,t=4ns,beta=100MB/s[processor 0]C=20us,t=3ns[processor 1]C=90us,t=9ns"
                                   "[processor 2]C=30us,t=2ns"),
                  std::vector<std::string>{std::string(kInterNode)});
  for (const Rank root : {0, 7'000}) {
    const Schedule schedule = hub_schedule(Collective::kScatter, root);
    EXPECT_NEAR(chosen_over_followed(schedule, channels, model, Evaluator::kTimeline), 1, root == 0 ? 1e-9 : 1e-3)
        << root;
  }
}

/// Its token goes to a leaf before the leaf may send: rounds add these round trips up, as they are.
TEST(HubStages, AreNoneWhereLeavesWaitForTheHub) {
  const Model model = build_model(parse_parameters("flow", "L=5us,o=1us,G=1ns"), {});
  const Schedule schedule =
      build_schedule(find_algorithm(Collective::kGather, "linear-sync"), {.ranks = kManyRanks, .bytes = kManyRanks});
  EXPECT_EQ(choose_evaluator(schedule, ChannelMap::single_channel(), model), Evaluator::kRounds);
}

}  // namespace
}  // namespace postage
