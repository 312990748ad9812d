#include <postage/predict/rounds.hpp>
#include <postage/predict/timeline.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/node_aware.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace postage {
namespace {

/// Nodes of `cores` cores on one cache, and a network.
Platform cluster_of(std::int32_t cores) {
  Node node{.name = "node"};
  for (std::int32_t core = 0; core < cores; ++core) {
    node.topology.cores.push_back({.pu = core});
  }
  return {.name = "cluster", .channels = {kSharedCache, kInterNode}, .nodes = {node}};
}

Model two_level_loggp() {
  LogGP model;
  model.links.set_channel(0, {{0, {1e-7, 2e-7, 3e-7, 4e-7, 1e-10}}});
  model.links.set_channel(1, {{0, {5e-6, 1e-6, 2e-6, 4e-6, 8e-10}}});
  return model;
}

std::string name_of(const Algorithm& algorithm) {
  return std::string(name_of(algorithm.collective)) + " " + std::string(algorithm.name);
}

/// The symbolic sum visits kinds of nodes and iterations; visiting every rank in every iteration must agree.
void expect_same(const Algorithm& algorithm, Rank ranks, Rank root, const ChannelMap& channels) {
  // Blocks of one size: where sizes differ by an element the visited nodes may not show the largest.
  const Schedule schedule =
      build_schedule(algorithm, {.ranks = ranks, .root = root, .bytes = Bytes{ranks} * 64, .commutative = true});
  const Model model = two_level_loggp();
  const RoundTimes symbolic = sum_rounds(schedule, channels, model);
  const RoundTimes all = sum_all_rounds(schedule, channels, model);
  EXPECT_NEAR(symbolic.seconds, all.seconds, 1e-12 * all.seconds)
      << name_of(algorithm) << " P=" << ranks << " root=" << root << " per node=" << channels.mapping().per_node()
      << (channels.mapping().kind() == Mapping::Kind::kBlock ? " block" : " cyclic");
}

TEST(SumRounds, OfKindsIsTheSumOfAll) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const std::int32_t per_node : {1, 3, 4, 8, 12}) {
      const Platform platform = cluster_of(per_node);
      for (const std::int32_t nodes : {1, 2, 5, 8, 16}) {
        const Rank ranks = nodes * per_node;
        if (!can_do(algorithm, ranks) || ranks < 2 || (per_node == 1 && nodes == 1)) {
          continue;
        }
        for (const Rank root : {0, ranks / 3}) {
          expect_same(algorithm, ranks, root, ChannelMap(platform, Mapping::block(nodes, per_node)));
          expect_same(algorithm, ranks, root, ChannelMap(platform, Mapping::cyclic(nodes, per_node)));
        }
      }
    }
  }
}

/// Grouped patterns: leaders and members of nodes that are, and are not, those of the prediction's mapping.
TEST(SumRounds, OfKindsIsTheSumOfAllInNodeAwareSchedules) {
  const Model model = two_level_loggp();
  for (const std::int32_t per_node : {2, 4}) {
    const ChannelMap channels(cluster_of(per_node), Mapping::block(6, per_node));
    const Rank ranks = 6 * per_node;
    for (const NodeMap& map : {NodeMap::block(ranks, per_node), NodeMap::block(ranks, 3), NodeMap::cyclic(ranks, 4)}) {
      for (const char* across : {"ring", "bruck", "recursive-doubling-folded"}) {
        const Schedule schedule = node_aware_schedule(Collective::kAllgather, {.ranks = ranks, .bytes = 64}, map,
                                                      {.up = {"binomial"}, .across = {across}, .down = {"binomial"}});
        const Seconds all = sum_all_rounds(schedule, channels, model).seconds;
        EXPECT_NEAR(sum_rounds(schedule, channels, model).seconds, all, 1e-12 * all) << across;
      }
      for (const char* across : {"pairwise", "bruck", "linear"}) {
        const Schedule schedule = node_aware_schedule(Collective::kAlltoall, {.ranks = ranks, .bytes = 64}, map,
                                                      {.up = {"linear"}, .across = {across}, .down = {"linear"}});
        const Seconds all = sum_all_rounds(schedule, channels, model).seconds;
        EXPECT_NEAR(sum_rounds(schedule, channels, model).seconds, all, 1e-12 * all) << across;
      }
    }
  }
}

}  // namespace
}  // namespace postage
