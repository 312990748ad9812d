#include "support/exhaustive.hpp"

#include <postage/predict/rounds/rounds.hpp>
#include <postage/predict/timeline/timeline.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/patterns/node_aware.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// The same with two sockets to a node.
Platform cluster_of_sockets(std::int32_t cores) {
  Platform platform = cluster_of(cores);
  platform.channels = {kSharedCache, kInterSocket, kInterNode};
  for (Core& core : platform.nodes[0].topology.cores) {
    core.socket = 2 * core.pu / cores;
  }
  return platform;
}

struct NamedParameters {
  const char* model;
  const char* text;
};

/// Without contention; the second and third also with steps of several transfers.
constexpr NamedParameters kAlone[] = {
    {"loggp",
     "[shared-cache] L=0.1us,o_s=0.2us,o_r=0.3us,g=0.4us,G=0.1ns [inter-socket] L=0.3us,o=0.3us,g=0.9us,G=0.2ns "
     "[inter-node] L=5us,o_s=1us,o_r=2us,g=4us,G=0.8ns"},
    {"2log23p",
     "[shared-cache] o_mw=0:1us;16K:8us [inter-socket] o_mw=0:2us;16K:9us "
     "[inter-node] o_mw=0:2us;16K:12us,o_net=0:20us;16K:150us"},
    {"log3p", "o_mw=0:2us;16K:12us,o_net=0:20us;16K:150us"},
    {"plogp", "L=20us,o_s=0:1us;64K:40us,o_r=0:1us;64K:50us,g=0:2us;64K:80us"},
    {"lmo", "C=40us,t=4ns,beta=100MB/s"},
};

/// With contention.
constexpr NamedParameters kShared[] = {
    {"taulop",
     "[shared-cache] o=1us,L=0/1:0.3us;64K/1:10us;0/4:0.4us;64K/4:25us,n=2 "
     "[inter-socket] o=1us,L=0/1:0.5us;64K/1:14us;0/4:0.9us;64K/4:45us,n=2 "
     "[inter-node] o=5us,L=0/1:10us;64K/1:60us;0/4:20us;64K/4:240us,n=1,n@shared-cache=2"},
    {"flow",
     "[shared-cache] L=0.3us,o=0.2us,G=0.1ns,B_node=20GB/s [inter-socket] L=0.4us,o=0.3us,G=0.2ns,B_node=9GB/s "
     "[inter-node] L=5us,o_s=1us,o_r=2us,G=1ns,B_send=1GB/s,B_node=2GB/s,S=100"},
    {"loggpc", "L=5us,o=1us,g=2us,G=1ns,C=0/2:1us;64K/2:30us;0/8:4us;64K/8:200us"},
    {"plogp-cell", "L=16:0.2us;32K:2us,g=16:0.1us;32K:1.5us,C=0/2:0us;64K/2:3us;0/8:1us;64K/8:20us,gamma=0.05ns"},
};

Model model_of(const NamedParameters& parameters, const Platform& platform) {
  ParameterTable table = parse_parameters(parameters.model, parameters.text);
  std::erase_if(table.groups, [&](const ParameterGroup& group) {
    const std::string& channel = group.scope.channel;
    return !group.scope.is_pair() && !group.scope.is_processor() && channel != kAllChannels &&
           std::find(platform.channels.begin(), platform.channels.end(), channel) == platform.channels.end();
  });
  return build_model(table, platform.channels);
}

std::string describe(const ChannelMap& channels) {
  const Mapping& mapping = channels.mapping();
  const char* kind = mapping.kind() == Mapping::Kind::kBlock    ? "block"
                     : mapping.kind() == Mapping::Kind::kCyclic ? "cyclic"
                                                                : "listed";
  return fmt::format("{} {} x {}", kind, mapping.nodes(), mapping.per_node());
}

/// The symbolic sum visits kinds of nodes and iterations; visiting every rank in every iteration must agree.
void expect_same(const Schedule& schedule, const ChannelMap& channels, const Model& model, double tolerance = 1e-12) {
  const Seconds all = sum_all_rounds(schedule, channels, model).seconds;
  EXPECT_NEAR(sum_rounds(schedule, channels, model).seconds, all, tolerance * all)
      << name_of(schedule.collective) << " " << schedule.algorithm << " P=" << schedule.ranks
      << " root=" << schedule.root << ", " << describe(channels)
      << (feels_contention(model) ? ", with contention" : ", without contention");
}

/// Blocks of one size: where sizes differ by an element the visited nodes may not show the largest.
Schedule schedule_of(const Algorithm& algorithm, Rank ranks, Rank root, Bytes segment = 0) {
  return build_schedule(
      algorithm,
      {.ranks = ranks, .root = root, .bytes = Bytes{ranks} * 64, .segment_bytes = segment, .commutative = true});
}

/// Where nodes are not full, or a schedule's nodes are others than the mapping's, the visited nodes may have one
/// message less than the busiest one.
constexpr double kOneMessageLess = 0.06;
/// The same where a rank's messages to several count as one of the node's.
constexpr double kOneFanLess = 0.1;

constexpr Bytes kSegment = 16;

/// Every algorithm on `nodes` nodes of `per_node` ranks, the last of which has `missing` less.
void check_all_algorithms(const NamedParameters& parameters, std::int32_t nodes, std::int32_t per_node, Rank missing,
                          double tolerance = 1e-12) {
  const Platform platform = cluster_of_sockets(per_node);
  const Model model = model_of(parameters, platform);
  const ChannelMap block(platform, Mapping::block(nodes, per_node));
  const ChannelMap cyclic(platform, Mapping::cyclic(nodes, per_node));
  const Rank ranks = nodes * per_node - missing;
  for (const Algorithm& algorithm : algorithms()) {
    if (!can_do(algorithm, ranks) || ranks < 2) {
      continue;
    }
    for (const Rank root : {0, ranks / 3}) {
      for (const Bytes segment : {Bytes{0}, algorithm.segmentable ? kSegment : Bytes{0}}) {
        const Schedule schedule = schedule_of(algorithm, ranks, root, segment);
        expect_same(schedule, block, model, tolerance);
        expect_same(schedule, cyclic, model, tolerance);
      }
      if (!has_root(algorithm.collective)) {
        break;
      }
    }
  }
}

/// Nodes, and ranks on each.
std::vector<std::pair<std::int32_t, std::int32_t>> full_clusters() {
  if (!test::is_exhaustive()) {
    return {{1, 8}, {5, 1}, {5, 3}, {16, 3}};
  }
  std::vector<std::pair<std::int32_t, std::int32_t>> clusters;
  for (const std::int32_t per_node : {1, 3, 8, 12}) {
    for (const std::int32_t nodes : {1, 5, 16}) {
      clusters.emplace_back(nodes, per_node);
    }
  }
  return clusters;
}

TEST(SumRounds, OfKindsIsTheSumOfAll) {
  for (const NamedParameters& parameters : kAlone) {
    for (const auto& [nodes, per_node] : full_clusters()) {
      check_all_algorithms(parameters, nodes, per_node, 0);
    }
    check_all_algorithms(parameters, 11, test::is_exhaustive() ? 8 : 4, 3);
    // A power of two of ranks, but not on each node: in a pipeline iterations that count as alike are not quite.
    check_all_algorithms(parameters, 6, 6, 4, 0.06);
    if (test::is_exhaustive()) {
      check_all_algorithms(parameters, 30, 6, 1);
      check_all_algorithms(parameters, 22, 6, 4, 0.06);
    }
  }
}

TEST(SumRounds, OfKindsIsTheSumOfAllWithContention) {
  for (const NamedParameters& parameters : kShared) {
    for (const auto& [nodes, per_node] : full_clusters()) {
      check_all_algorithms(parameters, nodes, per_node, 0);
    }
    check_all_algorithms(parameters, 11, test::is_exhaustive() ? 8 : 4, 3, kOneMessageLess);
    if (test::is_exhaustive()) {
      check_all_algorithms(parameters, 30, 6, 1, kOneMessageLess);
      check_all_algorithms(parameters, 22, 6, 4, kOneMessageLess);
    }
  }
}

/// Grouped patterns: leaders and members of nodes that are, and are not, those of the prediction's mapping.
void check_node_aware(const NamedParameters& parameters, double tolerance) {
  for (const std::int32_t per_node : {2, 4}) {
    const Platform platform = cluster_of_sockets(per_node);
    const Model model = model_of(parameters, platform);
    const Rank ranks = 16 * per_node;
    for (const Mapping& mapping : {Mapping::block(16, per_node), Mapping::cyclic(16, per_node)}) {
      const ChannelMap channels(platform, mapping);
      for (const NodeMap& map :
           {NodeMap::block(ranks, per_node), NodeMap::block(ranks, 3), NodeMap::cyclic(ranks, 16)}) {
        const auto check = [&](Collective collective, const NodeParts& parts) {
          const ScheduleRequest request{.ranks = ranks, .root = has_root(collective) ? 5 : 0, .bytes = 64};
          expect_same(node_aware_schedule(collective, request, map, parts), channels, model, tolerance);
        };
        for (const char* across : {"ring", "bruck", "recursive-doubling-folded"}) {
          check(Collective::kAllgather, {.up = {"binomial"}, .across = {across}, .down = {"binomial"}});
        }
        for (const char* across : {"pairwise", "bruck", "linear"}) {
          check(Collective::kAlltoall, {.up = {"linear"}, .across = {across}, .down = {"linear"}});
        }
        for (const char* across : {"binomial", "chain", "pipeline"}) {
          check(Collective::kBcast, {.across = {across}, .down = {"knomial"}});
          check(Collective::kReduce, {.up = {"linear"}, .across = {across}});
        }
        check(Collective::kAllreduce, {.up = {"binomial"}, .across = {"recursive-doubling"}, .down = {"linear"}});
      }
    }
  }
}

TEST(SumRounds, OfKindsIsTheSumOfAllInNodeAwareSchedules) {
  for (const NamedParameters& parameters : kAlone) {
    check_node_aware(parameters, 1e-12);
  }
  for (const NamedParameters& parameters : kShared) {
    check_node_aware(parameters, std::string_view(parameters.model) == "flow" ? kOneFanLess : kOneMessageLess);
  }
}

/// Ranks listed in any order on nodes that need not be full.
RC_GTEST_PROP(SumRounds, OfListedPlacesIsTheSumOfAll, ()) {
  const std::int32_t per_node = *rc::gen::inRange(1, 7);
  const std::int32_t nodes = *rc::gen::inRange(1, 9);
  std::vector<RankPlacement> places;
  for (std::int32_t place = 0; place < nodes * per_node; ++place) {
    places.push_back({place / per_node, place % per_node});
  }
  for (std::size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1], places[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  const Rank ranks = *rc::gen::inRange(1, nodes * per_node + 1);
  places.resize(static_cast<std::size_t>(ranks));
  const Platform platform = cluster_of_sockets(per_node);
  const ChannelMap channels(platform, Mapping::explicit_placements(std::move(places)));
  const NamedParameters parameters =
      *rc::gen::oneOf(rc::gen::elementOf(std::vector(std::begin(kAlone), std::end(kAlone))),
                      rc::gen::elementOf(std::vector(std::begin(kShared), std::end(kShared))));
  const Algorithm algorithm = *rc::gen::elementOf(std::vector(algorithms().begin(), algorithms().end()));
  RC_PRE(can_do(algorithm, ranks));
  const Schedule schedule = schedule_of(algorithm, ranks, *rc::gen::inRange<Rank>(0, ranks));
  const Model model = model_of(parameters, platform);
  const Seconds all = sum_all_rounds(schedule, channels, model).seconds;
  RC_ASSERT(std::abs(sum_rounds(schedule, channels, model).seconds - all) <= 1e-12 * all);
}

}  // namespace
}  // namespace postage
