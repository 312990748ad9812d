#include "papers/lastovetsky/tree_cases.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/launch/launch.hpp>
#include <postage/measure/batch.hpp>
#include <postage/optimize/trees.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>

namespace postage::lastovetsky_paper {
namespace {

constexpr std::array kTriedTrees{TreeMethod::kFlat, TreeMethod::kBinomial, TreeMethod::kMappedBinomial,
                                 TreeMethod::kWorstBinomial, TreeMethod::kOptimised};
constexpr std::array kSelectors{"ompi", "mpich"};
constexpr Seconds kLimitOfBatch = 300;

/// Between two numbers, evenly on a logarithmic scale.
class LogUniform {
 public:
  explicit LogUniform(std::uint64_t seed) : random_(seed) {}
  double next(double least, double most) {
    return least * std::pow(most / least, static_cast<double>(random_() >> 11U) * 0x1p-53);
  }

 private:
  std::mt19937_64 random_;
};

/// What LMO is estimated from, with latencies of links and the limits of fans.
const std::vector<std::string>& campaign() {
  static const std::vector<std::string> words{
      "--sizes",       "1",    "--reply-sizes",      "0,32K", "--overhead-sizes", "1",
      "--train-sizes", "none", "--one-to-two-sizes", "0,32K", "--sweep-sizes",    "0:128K:+8K"};
  return words;
}

std::vector<Bytes> blocks_by_speed(const VirtualCluster& cluster, Bytes mean) {
  double speeds = 0;
  for (const VirtualHost& host : cluster.hosts) {
    speeds += 1 / host.overhead;
  }
  std::vector<Bytes> blocks;
  for (const VirtualHost& host : cluster.hosts) {
    const double share = 1 / host.overhead / speeds;
    blocks.push_back(static_cast<Bytes>(share * static_cast<double>(mean) * static_cast<double>(cluster.size())));
  }
  return blocks;
}

std::vector<Bytes> random_blocks(LogUniform& random, std::size_t ranks, Bytes mean) {
  std::vector<Bytes> blocks;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    blocks.push_back(static_cast<Bytes>(random.next(static_cast<double>(mean) / 8, static_cast<double>(mean) * 4)));
  }
  return blocks;
}

ScheduleRequest request_for(const TreeCase& tree_case, std::size_t ranks) {
  ScheduleRequest request{.ranks = static_cast<Rank>(ranks),
                          .root = tree_case.root,
                          .bytes = tree_case.block,
                          .block_bytes = tree_case.block_bytes};
  if (!tree_case.block_bytes.empty()) {
    request.bytes = std::accumulate(tree_case.block_bytes.begin(), tree_case.block_bytes.end(), Bytes{0});
  }
  return request;
}

/// Simulations of one schedule where chance decides on its time.
constexpr std::size_t kDraws = 20;

/// Mean seconds of schedule files, executed or as the library does the same.
std::vector<Seconds> batch_times(const LaunchTarget& target, const std::filesystem::path& folder,
                                 const std::vector<std::pair<Collective, std::string>>& files, std::size_t draws,
                                 const char* selector) {
  std::string points;
  for (const auto& [collective, file] : files) {
    for (std::size_t draw = 0; draw < draws; ++draw) {
      points += fmt::format("{} {}:{}:0\n", target.ranks, name_of(collective), file);
    }
  }
  write_file(folder / "points", points);
  LaunchTarget batch = target;
  batch.program = "postage-batch";
  batch.smpi_arguments.emplace_back("--cfg=smpi/privatization:no");
  std::vector<std::string> words{(folder / "points").string(), (folder / "times").string(), "1", "0s"};
  if (selector != nullptr) {
    batch.smpi_arguments.push_back(fmt::format("--cfg=smpi/coll-selector:{}", selector));
    words.emplace_back("library");
  }
  static_cast<void>(run_command(launch_command(batch, words), kLimitOfBatch));
  std::istringstream lines(read_file(folder / "times"));
  std::vector<Seconds> means(files.size(), 0);
  std::size_t timed = 0;
  for (Seconds seconds = 0; lines >> seconds && timed < files.size() * draws; ++timed) {
    means[timed / draws] += seconds / static_cast<double>(draws);
  }
  if (timed != files.size() * draws) {
    throw Error(fmt::format("postage-batch made {} of {} simulations", timed, files.size() * draws));
  }
  return means;
}

PlatformModel lmo_of(const Platform& platform, std::size_t ranks) {
  const auto table = std::ranges::find(platform.models, "lmo", &ParameterTable::model);
  if (table == platform.models.end()) {
    throw Error("the campaign says too little for the lmo model");
  }
  return {*table, platform.channels, ChannelMap(platform, Mapping::block(static_cast<std::int32_t>(ranks), 1))};
}

}  // namespace

Seconds CaseTimes::best_other() const {
  Seconds best = std::numeric_limits<Seconds>::infinity();
  for (const auto& [name, seconds] : simulated) {
    if (name != "optimised" && name != "worst-binomial") {
      best = std::min(best, seconds);
    }
  }
  return best;
}

std::vector<TreeCase> tree_cases(const VirtualCluster& cluster, const std::vector<Bytes>& sizes, std::uint64_t seed) {
  LogUniform random(seed);
  const auto slower = [](const VirtualHost& a, const VirtualHost& b) { return a.overhead < b.overhead; };
  const auto fast = std::ranges::min_element(cluster.hosts, slower) - cluster.hosts.begin();
  const auto slow = std::ranges::max_element(cluster.hosts, slower) - cluster.hosts.begin();
  std::vector<TreeCase> cases;
  for (const Collective collective : {Collective::kScatter, Collective::kGather}) {
    for (const auto root : {fast, slow}) {
      for (const Bytes size : sizes) {
        const TreeCase equal{collective, static_cast<Rank>(root), size, "equal"};
        TreeCase by_speed = equal;
        by_speed.counts = "by speed";
        by_speed.block_bytes = blocks_by_speed(cluster, size);
        TreeCase drawn = equal;
        drawn.counts = "random";
        drawn.block_bytes = random_blocks(random, cluster.size(), size);
        cases.insert(cases.end(), {equal, by_speed, drawn});
      }
    }
  }
  return cases;
}

std::vector<CaseTimes> run_tree_cases(PaperContext& context, const VirtualCluster& cluster,
                                      const std::vector<TreeCase>& cases) {
  const TemporaryFolder folder;
  const auto ranks = static_cast<int>(cluster.size());
  context.tell(fmt::format("measuring the simulated cluster {}", cluster.name));
  const PlatformModel model =
      lmo_of(estimate_platform(context.simulate(cluster, ranks, campaign()), cluster.name), cluster.size());
  context.tell(fmt::format("building trees for {} cases on {}", cases.size(), cluster.name));
  std::vector<CaseTimes> results;
  std::vector<std::pair<Collective, std::string>> files;
  for (const TreeCase& tree_case : cases) {
    CaseTimes& result = results.emplace_back(CaseTimes{.tree_case = tree_case, .simulated = {}, .predicted = {}});
    const ScheduleRequest request = request_for(tree_case, cluster.size());
    const Bytes all = tree_case.block_bytes.empty() ? request.bytes * request.ranks : request.bytes;
    result.bound = cluster.hosts[static_cast<std::size_t>(tree_case.root)].per_byte * static_cast<double>(all);
    for (const TreeCandidate& one :
         tree_candidates({kTriedTrees.begin(), kTriedTrees.end()}, tree_case.collective, request, model)) {
      const std::filesystem::path file = folder.path() / fmt::format("tree{}.json", files.size());
      write_schedule_file(file, one.tree);
      files.emplace_back(tree_case.collective, file.string());
      result.predicted[std::string(name_of(one.method))] = one.prediction.seconds;
    }
    if (cluster.escalations.empty()) {
      const CollectiveTree exact = build_tree(TreeMethod::kExact, tree_case.collective, request, model);
      result.predicted["exact"] = predict(schedule_along(exact), model).seconds;
    }
  }
  const VirtualClusterFiles platform = write_virtual_cluster(cluster, folder.path());
  const LaunchTarget target{.mpi = "smpi",
                            .hostfile = platform.hostfile,
                            .ranks = ranks,
                            .virtual_platform = platform.platform,
                            .smpi_arguments = platform.smpi_arguments};
  const std::size_t draws = cluster.escalations.empty() ? 1 : kDraws;
  context.tell(fmt::format("simulating {} trees on {}", files.size(), cluster.name));
  const std::vector<Seconds> executed = batch_times(target, folder.path(), files, draws, nullptr);
  std::vector<std::pair<Collective, std::string>> firsts;
  for (std::size_t i = 0; i < files.size(); ++i) {
    results[i / kTriedTrees.size()].simulated[std::string(name_of(kTriedTrees[i % kTriedTrees.size()]))] = executed[i];
    if (i % kTriedTrees.size() == 0) {
      firsts.push_back(files[i]);
    }
  }
  for (const char* selector : kSelectors) {
    const std::vector<Seconds> of_library = batch_times(target, folder.path(), firsts, draws, selector);
    for (std::size_t i = 0; i < results.size(); ++i) {
      results[i].simulated[selector] = of_library[i];
    }
  }
  return results;
}

VirtualCluster random_cluster(std::uint64_t seed) {
  constexpr std::size_t kHosts = 16;
  LogUniform random(seed);
  VirtualCluster cluster = flat_cluster(kHosts, {}, 0, 0);
  cluster.name = fmt::format("random-{}", seed);
  for (VirtualHost& host : cluster.hosts) {
    host = {random.next(5e-6, 60e-6), random.next(1e-10, 1e-9)};
  }
  for (std::size_t i = 0; i < kHosts; ++i) {
    for (std::size_t j = i; j < kHosts; ++j) {
      cluster.latency[i * kHosts + j] = cluster.latency[j * kHosts + i] = random.next(5e-6, 50e-6);
      cluster.bandwidth[i * kHosts + j] = cluster.bandwidth[j * kHosts + i] = random.next(50e6, 500e6);
    }
  }
  return cluster;
}

}  // namespace postage::lastovetsky_paper
