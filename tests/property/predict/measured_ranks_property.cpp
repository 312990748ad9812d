#include "predict/rounds/repeated_sum.hpp"
#include "support/exhaustive.hpp"

#include <postage/predict/rounds/rounds.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace postage {
namespace {

/// A measured rank on each slot of `measured` nodes; of the nodes of a job others are alike.
Platform measured_nodes(std::int32_t measured, std::int32_t per_node) {
  Platform platform{.name = "cluster", .channels = {kSharedCache, kInterSocket, kInterNode}};
  for (std::int32_t node = 0; node < measured; ++node) {
    Node one{.name = fmt::format("node{}", node)};
    for (std::int32_t core = 0; core < per_node; ++core) {
      one.topology.cores.push_back({.pu = core, .socket = 2 * core / per_node});
      platform.ranks.push_back({node, core});
    }
    platform.nodes.push_back(one);
  }
  return platform;
}

/// Parameters of channels and, unlike them, of some measured ranks and pairs.
std::vector<std::pair<std::string, std::string>> parameters_of_ranks(std::int32_t measured) {
  const std::int32_t last = measured - 1;
  std::vector<std::pair<std::string, std::string>> all{
      {"loggp", fmt::format("[shared-cache] L=0.1us,o_s=0.2us,o_r=0.3us,g=0.4us,G=0.1ns "
                            "[inter-socket] L=0.3us,o=0.3us,g=0.9us,G=0.2ns "
                            "[inter-node] L=5us,o_s=1.3us,o_r=2.1us,g=4us,G=0.83ns "
                            "[pair 0 {0}] L=7us,o_s=1us,o_r=2us,g=6us,G=0.9ns",
                            last)},
      {"hockney", fmt::format("[shared-cache] alpha=1us,beta=0.1ns [inter-socket] alpha=2us,beta=0.3ns "
                              "[inter-node] alpha=9us,beta=0.7ns [pair 0 {0}] alpha=3us,beta=0.2ns",
                              last)},
      {"taulop", fmt::format("[shared-cache] o=1us,L=0/1:0.3us;64K/1:10us;0/4:0.4us;64K/4:25us,n=2 "
                             "[inter-socket] o=1us,L=0/1:0.5us;64K/1:14us;0/4:0.9us;64K/4:45us,n=2 "
                             "[inter-node] o=5us,L=0/1:10us;64K/1:60us;0/4:20us;64K/4:240us,n=1 "
                             "[pair 0 {0}] o=7us,L=0/1:12us;64K/1:70us;0/4:30us;64K/4:260us,n=1",
                             last)},
  };
  std::string lmo =
      "[shared-cache] C=0.3us,t=0.1ns,beta=9GB/s [inter-socket] C=0.7us,t=0.2ns,beta=7GB/s "
      "[inter-node] C=40us,t=4ns,beta=100MB/s";
  std::string flow =
      "[shared-cache] L=0.3us,o=0.2us,G=0.1ns,B_node=20GB/s "
      "[inter-socket] L=0.4us,o=0.3us,G=0.2ns,B_node=9GB/s "
      "[inter-node] L=5us,o_s=1us,o_r=2us,G=1ns,B_send=1GB/s,B_node=2GB/s,S=100";
  for (std::int32_t rank = 0; rank < measured; ++rank) {
    lmo += fmt::format(" [processor {}] C={}us,t={}ns", rank, 20 + 7 * rank, 3 + rank % 3);
  }
  flow += fmt::format(" [pair 0 {}] L=3us,o_s=1.7us,o_r=1us,G=2ns,B_send=0.5GB/s,B_node=2GB/s,S=100", last);
  all.emplace_back("lmo", lmo);
  all.emplace_back("flow", flow);
  return all;
}

/// To the last bit, and every round.
void expect_equal(const Schedule& schedule, const ChannelMap& channels, const Model& model, const std::string& what) {
  const RoundTimes some = sum_rounds(schedule, channels, model);
  const RoundTimes all = sum_all_rounds(schedule, channels, model);
  ASSERT_EQ(some.seconds, all.seconds) << what;
  ASSERT_EQ(some.rounds.size(), all.rounds.size()) << what;
  for (std::size_t i = 0; i < all.rounds.size(); ++i) {
    const SharedTransfer& mine = some.rounds[i].slowest;
    const SharedTransfer& theirs = all.rounds[i].slowest;
    ASSERT_EQ(some.rounds[i].seconds, all.rounds[i].seconds) << what;
    ASSERT_TRUE(some.rounds[i].position == all.rounds[i].position) << what;
    ASSERT_TRUE(mine.channel == theirs.channel && mine.bytes == theirs.bytes && mine.seconds == theirs.seconds &&
                mine.alone == theirs.alone && mine.concurrency == theirs.concurrency)
        << what;
  }
}

/// With one root each, and blocks that are not all of one size; exhaustively also with root 0 and blocks that are.
void check_measured_beside_kinds(const Platform& platform, const Mapping& mapping, Rank ranks, Bytes bytes_a_rank) {
  const ChannelMap channels(platform, mapping);
  std::vector<Rank> roots{ranks / 3};
  if (test::is_exhaustive()) {
    roots.push_back(0);
  }
  for (const auto& [name, text] : parameters_of_ranks(static_cast<std::int32_t>(platform.ranks.size()))) {
    const Model model = build_model(parse_parameters(name, text), platform.channels);
    ASSERT_TRUE(depends_on_ranks(model)) << name;
    for (const Algorithm& algorithm : algorithms()) {
      if (!can_do(algorithm, ranks)) {
        continue;
      }
      for (const Rank root : roots) {
        for (const Bytes segment : {Bytes{0}, algorithm.segmentable ? Bytes{16} : Bytes{0}}) {
          const Schedule schedule =
              build_schedule(algorithm, {.ranks = ranks,
                                         .root = has_root(algorithm.collective) ? root : 0,
                                         .bytes = Bytes{ranks} * bytes_a_rank + (root == 0 ? 0 : 5),
                                         .segment_bytes = segment,
                                         .commutative = true});
          expect_equal(
              schedule, channels, model,
              fmt::format("{} {} {} P={} root={} segment={} {} x {}", name, name_of(schedule.collective),
                          schedule.algorithm, ranks, schedule.root, segment, mapping.nodes(), mapping.per_node()));
        }
      }
    }
  }
}

TEST(MeasuredRanks, EqualMessagesAddUpAsOneByOne) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-40, 3);
  for (int i = 0; i < 2000; ++i) {
    const double value = i % 5 == 0 ? std::ldexp(1.0 + i % 7, i % 30 - 20) : std::exp2(exponent(random));
    double sum = i % 3 == 0 ? 0 : i % 3 == 1 ? std::exp2(exponent(random)) : std::ldexp(1.0, i % 60 - 5);
    const Index times = i % 4000;
    const double found = added_repeatedly(sum, value, times);
    for (Index k = 0; k < times; ++k) {
      sum += value;
    }
    ASSERT_EQ(found, sum) << value << " " << times << " times";
  }
  EXPECT_EQ(added_repeatedly(2, -0.3, 3), 2 - 0.3 - 0.3 - 0.3);
}

TEST(MeasuredRanks, AndKindsOfOthersGiveTheSumOfAll) {
  check_measured_beside_kinds(measured_nodes(3, 1), Mapping::block(64, 1), 64, 64);
  check_measured_beside_kinds(measured_nodes(2, 3), Mapping::cyclic(24, 3), 72, 64);
  if (!test::is_exhaustive()) {
    return;
  }
  check_measured_beside_kinds(measured_nodes(2, 1), Mapping::cyclic(61, 1), 61, 64);
  check_measured_beside_kinds(measured_nodes(2, 1), Mapping::block(96, 1), 90, 64);
  check_measured_beside_kinds(measured_nodes(2, 3), Mapping::block(24, 3), 72, 64);
  check_measured_beside_kinds(measured_nodes(1, 6), Mapping::block(22, 6), 128, 64);
  check_measured_beside_kinds(measured_nodes(1, 6), Mapping::cyclic(22, 6), 129, 64);
}

}  // namespace
}  // namespace postage
