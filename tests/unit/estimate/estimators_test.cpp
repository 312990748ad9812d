// Estimators on synthetic campaigns, whose truth is known and whose noise is drawn.
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/model/model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace postage {
namespace {

constexpr double kOnePercent = 0.01;
const std::vector<Bytes> kSizes{0, 1, 64, 1024, 4096, 16384, 65536};
const std::vector<Bytes> kOneToTwoSizes{0, 16384};

SampleSet measure(const KnownCluster& cluster, const Disturbance& disturbance = {}) {
  return measured(cluster.ranks(), all_experiments(cluster.ranks(), kSizes, kOneToTwoSizes),
                  [&](const Experiment& e) { return cluster.time_of(e); }, disturbance);
}

const ParameterTable& table_of(const Platform& platform, const std::string& model) {
  const auto found = std::find_if(platform.models.begin(), platform.models.end(),
                                  [&](const ParameterTable& table) { return table.model == model; });
  if (found == platform.models.end()) {
    throw Error("no " + model);
  }
  return *found;
}

const ParameterGroup& group_of_pair(const ParameterTable& table, int first, int second) {
  const auto found = std::find_if(table.groups.begin(), table.groups.end(), [&](const ParameterGroup& group) {
    return group.scope.is_pair() && group.scope.first == first && group.scope.second == second;
  });
  if (found == table.groups.end()) {
    throw Error("no such pair");
  }
  return *found;
}

const ParameterGroup& group_of_processor(const ParameterTable& table, int rank) {
  const auto found = std::find_if(table.groups.begin(), table.groups.end(),
                                  [&](const ParameterGroup& group) { return group.scope.processor == rank; });
  if (found == table.groups.end()) {
    throw Error("no such processor");
  }
  return *found;
}

Estimate at_size(const ParameterCurve& curve, Bytes bytes) {
  const auto found = std::find_if(curve.begin(), curve.end(), [&](const auto& point) { return point.bytes == bytes; });
  return found == curve.end() ? Estimate{-1, -1, -1} : found->estimate;
}

/// Every parameter of the cluster beside its estimate, by name.
using Compared = std::multimap<std::string, std::pair<double, Estimate>>;

Compared compare(const KnownCluster& c, const Platform& platform) {
  Compared all;
  const ParameterTable& lmo = table_of(platform, "lmo");
  for (int i = 0; i < c.ranks(); ++i) {
    const auto& values = group_of_processor(lmo, i).values;
    all.insert({"lmo C", {c.fixed[static_cast<std::size_t>(i)], values.at("C")}});
    all.insert({"lmo t", {c.per_byte[static_cast<std::size_t>(i)], values.at("t")}});
    for (int j = i + 1; j < c.ranks(); ++j) {
      const Seconds latency = c.latency[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      const double wire = c.wire[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      const double stream = (c.one_way(i, j, 1 << 20) - c.one_way(i, j, 0)) / (1 << 20);
      const double overhead = (c.busy(i, 1) + c.busy(j, 1)) / 2;
      const auto& link = group_of_pair(lmo, i, j).values;
      all.insert({"lmo beta", {1 / wire, link.at("beta")}});
      all.insert({"lmo L", {latency, link.at("L")}});
      const auto& hockney = group_of_pair(table_of(platform, "hockney"), i, j).values;
      all.insert({"hockney alpha", {c.one_way(i, j, 0), hockney.at("alpha")}});
      all.insert({"hockney beta", {stream, hockney.at("beta")}});
      const auto& loggp = group_of_pair(table_of(platform, "loggp"), i, j).values;
      all.insert({"loggp o_s", {overhead, loggp.at("o_s")}});
      all.insert({"loggp o_r", {overhead, loggp.at("o_r")}});
      all.insert({"loggp L", {c.one_way(i, j, 1) - 2 * overhead, loggp.at("L")}});
      all.insert({"loggp G", {stream, loggp.at("G")}});
      all.insert({"loggp g", {std::max(c.busy(i, 1), c.busy(j, 1)), loggp.at("g")}});
      const ParameterGroup& plogp = group_of_pair(table_of(platform, "plogp"), i, j);
      const Seconds gap = std::max(c.busy(i, 0), c.busy(j, 0));
      all.insert({"plogp L", {c.one_way(i, j, 0) - gap, plogp.values.at("L")}});
      for (const Bytes bytes : {1024, 16384, 65536}) {
        const Seconds own = (c.busy(i, bytes) + c.busy(j, bytes)) / 2;
        all.insert({"plogp o_s", {own, at_size(plogp.curves.at("o_s"), bytes)}});
        all.insert({"plogp o_r", {own, at_size(plogp.curves.at("o_r"), bytes)}});
        all.insert({"plogp g", {std::max({c.busy(i, bytes), c.busy(j, bytes), wire * static_cast<double>(bytes)}),
                                at_size(plogp.curves.at("g"), bytes)}});
      }
    }
  }
  return all;
}

TEST(Estimators, GiveBackEveryParameterWithoutNoise) {
  const KnownCluster cluster = known_cluster(7);
  const Compared all = compare(cluster, estimate_platform(measure(cluster), "known"));
  EXPECT_EQ(all.size(), 2 * 7 + 21 * (2 + 2 + 5 + 1 + 9));
  for (const auto& [name, pair] : all) {
    EXPECT_NEAR(pair.second.value / pair.first, 1, 1e-6) << name;
  }
}

// Parameters lie within their own 95 % intervals in at least 90 % of all cases, however the noise falls.
TEST(Estimators, IntervalsCoverTheTruthOverSeeds) {
  const KnownCluster cluster = known_cluster(6);
  std::map<std::string, int> covered;
  std::map<std::string, int> count;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SampleSet samples = measure(cluster, {.seed = seed, .noise = 0.01, .outliers = 0.03});
    const Platform platform = estimate_platform(samples, "known", {.folds = 0});
    for (const auto& [name, pair] : compare(cluster, platform)) {
      const auto& [truth, estimate] = pair;
      covered[name] += estimate.lower <= truth && truth <= estimate.upper ? 1 : 0;
      ++count[name];
    }
  }
  for (const auto& [name, times] : covered) {
    EXPECT_GE(times, 0.9 * count[name]) << name << ": " << times << " of " << count[name];
  }
}

}  // namespace
}  // namespace postage
