// Real hosts below switches whose cables neither latencies nor, in part, single messages show.
#include "estimate/network/candidates/conflicts.hpp"

#include "estimate/data/pair_classes.hpp"
#include "estimate/network/find_network.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace postage {
namespace {

constexpr double kHostsLink = 1e8;
constexpr Bytes kMoved = 1 << 20;
constexpr int kPermutations = 30;

/// By the number of each host.
using Groups = std::vector<int>;

std::vector<int> shuffled_order(std::size_t hosts, std::mt19937& random) {
  std::vector<int> order;
  for (std::size_t host = 0; host < hosts; ++host) {
    order.push_back(static_cast<int>(host));
  }
  for (std::size_t left = hosts; left > 1; --left) {
    std::swap(order[left - 1], order[random() % left]);
  }
  return order;
}

/// The longest time of messages that share `link` where they leave their group.
Seconds longest_time(const std::vector<int>& target, const Groups& groups, double link) {
  Seconds most = 0;
  for (std::size_t host = 0; host < target.size(); ++host) {
    const auto to = static_cast<std::size_t>(target[host]);
    int sharing = 0;
    for (std::size_t other = 0; other < target.size(); ++other) {
      const auto its = static_cast<std::size_t>(target[other]);
      const bool crosses = groups[other] != groups[its];
      sharing += crosses && (groups[other] == groups[host] || groups[its] == groups[to]) ? 1 : 0;
    }
    const double alone = host == to ? 0 : static_cast<double>(kMoved) / kHostsLink;
    const bool leaves = groups[host] != groups[to];
    most = std::max(most, leaves ? std::max(alone, sharing * static_cast<double>(kMoved) / link) : alone);
  }
  return most;
}

SampleSet permutations_on(const Groups& groups, double link) {
  SampleSet samples = without_measurements(static_cast<int>(groups.size()));
  std::mt19937 random(3);
  for (int i = 0; i < kPermutations; ++i) {
    const std::vector<int> target = shuffled_order(groups.size(), random);
    samples.measurements.push_back(
        repeated({.kind = ExperimentKind::kPermutation, .bytes = kMoved, .members = target, .channel = kInterNode},
                 std::max(longest_time(target, groups, link), 1e-6), {.repetitions = 1}, samples.measurements.size()));
  }
  return samples;
}

HostPartition partition_by(const Groups& groups, int count) {
  HostPartition partition(static_cast<std::size_t>(count));
  for (std::size_t host = 0; host < groups.size(); ++host) {
    partition[static_cast<std::size_t>(groups[host])].push_back(static_cast<int>(host));
  }
  return partition;
}

bool is_among(const HostPartition& partition, const std::vector<HostPartition>& all) {
  return std::find(all.begin(), all.end(), partition) != all.end();
}

TEST(Conflicts, ShowHostsThatShareACableOfAHostsRate) {
  for (const Groups& groups : {Groups{0, 0, 0, 1, 1, 1}, Groups{0, 1, 1, 0, 1, 0}, Groups{0, 0, 1, 1, 0, 0, 1, 1}}) {
    const SampleSet samples = permutations_on(groups, kHostsLink);
    const CampaignData campaign(samples);
    EXPECT_TRUE(is_among(partition_by(groups, 2), groups_by_conflicts(campaign)));
  }
}

TEST(Conflicts, ShowMoreThanTwoGroups) {
  const Groups groups{0, 1, 2, 0, 1, 2, 0, 1, 2};
  const SampleSet samples = permutations_on(groups, kHostsLink / 2);
  const CampaignData campaign(samples);
  EXPECT_TRUE(is_among(partition_by(groups, 3), groups_by_conflicts(campaign)));
}

TEST(Conflicts, AreNoneOnOneSwitch) {
  const SampleSet samples = permutations_on(Groups(8, 0), kHostsLink);
  const CampaignData campaign(samples);
  EXPECT_TRUE(groups_by_conflicts(campaign).empty());
}

/// Roundtrips between four hosts: small messages take the same between all, large ones ten times as long between hosts
/// 0, 1 and 2, 3. Every pair was probed.
SampleSet slow_cable() {
  SampleSet samples = without_measurements(4);
  samples.pair_probes.sizes = {1, 64 << 10};
  const auto one_way = [](int a, int b, Bytes bytes) {
    const double slower = bytes >= 1024 && a / 2 != b / 2 ? 10 : 1;
    return slower * (50e-6 + static_cast<double>(bytes) / kHostsLink);
  };
  const auto probe = [](Seconds time) { return Estimate{time, 0.9 * time, 1.1 * time}; };
  for (int b = 1; b < 4; ++b) {
    for (int a = 0; a < b; ++a) {
      for (const Bytes bytes : {0, 1, 4, 16, 64, 16 << 10, 64 << 10, 256 << 10, 1 << 20}) {
        const Experiment roundtrip{
            .kind = ExperimentKind::kRoundtrip, .source = a, .target = b, .bytes = bytes, .reply_bytes = bytes};
        samples.measurements.push_back(
            repeated(roundtrip, 2 * one_way(a, b, bytes), {.repetitions = 1}, samples.measurements.size()));
      }
      samples.pair_probes.pairs.push_back({{a, b}, {probe(2 * one_way(a, b, 1)), probe(2 * one_way(a, b, 64 << 10))}});
    }
  }
  return samples;
}

TEST(HostDistances, ByLargeMessagesShowSlowCables) {
  const SampleSet samples = slow_cable();
  const CampaignData campaign(samples);
  EXPECT_EQ(HostDistances(campaign).count(), 1) << "latencies tell nothing";
  const HostDistances distances = HostDistances::by_large_messages(campaign);
  EXPECT_EQ(nested_groups(distances), (std::vector<HostPartition>{{{0, 1}, {2, 3}}}));
}

// No message shared a cable with another one.
TEST(HostDistances, GroupHostsWhereNothingElseTellsOfTheirNetwork) {
  const SampleSet samples = slow_cable();
  ParameterGroup all{.scope = {.channel = kInterNode}};
  for (const auto& [symbol, value] : {std::pair{"L", 50e-6}, {"G", 1 / kHostsLink}}) {
    all.values[symbol] = Estimate::exactly(value);
  }
  for (const char* symbol : {"o_s", "o_r"}) {
    all.curves[symbol] = {{0, Estimate::exactly(1e-6)}};
  }
  Platform platform{.channels = {kInterNode},
                    .nodes = samples.nodes,
                    .ranks = samples.ranks,
                    .models = {{.model = "flow", .groups = {all}}}};
  find_network(CampaignData(samples), platform);
  ASSERT_TRUE(platform.network);
  ASSERT_EQ(platform.network->groups.size(), 2U);
  EXPECT_EQ(platform.network->groups.front().hosts, (std::vector<int>{0, 1}));
  EXPECT_FALSE(platform.network->levels.front().bandwidth) << "no cable was seen to limit two messages";
}

TEST(PairClasses, OfRealHostsAreThoseOfTheirProbes) {
  const SampleSet samples = slow_cable();
  const CampaignData campaign(samples);
  std::vector<const PairData*> pairs;
  for (const PairData& pair : campaign.pairs) {
    pairs.push_back(&pair);
  }
  const std::vector<std::vector<const PairData*>> classes = classes_by_probes(pairs, *campaign.structure);
  ASSERT_EQ(classes.size(), 2U);
  for (const PairData* pair : classes.front()) {
    EXPECT_EQ(pair->first / 2, pair->second / 2);
  }
  EXPECT_EQ(classes.front().size(), 2U);
  EXPECT_EQ(classes.back().size(), 4U);
  EXPECT_TRUE(classes_by_probes(classes.front(), *campaign.structure).empty()) << "one class is none";
}

}  // namespace
}  // namespace postage
