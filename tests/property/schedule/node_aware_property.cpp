#include <postage/base/error.hpp>
#include <postage/schedule/check/dataflow.hpp>
#include <postage/schedule/patterns/node_aware.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace postage {
namespace {

constexpr Collective kCollectives[] = {Collective::kBarrier,   Collective::kBcast,   Collective::kReduce,
                                       Collective::kAllreduce, Collective::kGather,  Collective::kScatter,
                                       Collective::kAllgather, Collective::kAlltoall};

NodeMap any_map(Rank ranks) {
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return NodeMap::block(ranks, *rc::gen::inRange(1, ranks + 2));
    case 1:
      return NodeMap::cyclic(ranks, *rc::gen::inRange(1, ranks + 2));
    default:
      break;
  }
  const Index nodes = *rc::gen::inRange<Index>(1, ranks + 1);
  std::vector<Index> labels = *rc::gen::container<std::vector<Index>>(static_cast<std::size_t>(ranks),
                                                                      rc::gen::inRange<Index>(100, 100 + nodes));
  if (*rc::gen::arbitrary<bool>()) {
    std::sort(labels.begin(), labels.end());
  }
  return NodeMap::listed(labels);
}

/// Numbers of ranks that the parts within nodes have to do with.
std::vector<Rank> sizes_within(const NodeMap& map) {
  std::vector<Rank> sizes;
  for (Index node = 0; node < map.nodes(); ++node) {
    sizes.push_back(static_cast<Rank>(map.members_on(node)));
  }
  return sizes;
}

std::vector<NodePart> able(Collective collective, const std::vector<Rank>& sizes, bool ordered) {
  std::vector<NodePart> able;
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    const bool can = std::all_of(sizes.begin(), sizes.end(), [&](Rank size) { return can_do(algorithm, size); });
    if (can && (!ordered || !is_reduction(collective) || algorithm.keeps_order)) {
      able.push_back({std::string(algorithm.name)});
    }
  }
  return able;
}

NodePart any_part(Collective collective, const std::vector<Rank>& sizes, bool ordered) {
  const std::vector<NodePart> choices = able(collective, sizes, ordered);
  RC_PRE(!choices.empty());
  NodePart part = choices[*rc::gen::inRange<std::size_t>(0, choices.size())];
  for (const AlgorithmParameter& parameter : find_algorithm(collective, part.algorithm).parameters) {
    const Index most = std::min<Index>(parameter.maximum, 5);
    part.parameters.emplace(parameter.name, *rc::gen::inRange(parameter.minimum, most + 1));
  }
  return part;
}

ScheduleRequest any_request(Collective collective, Rank ranks, bool ordered) {
  const Bytes element = *rc::gen::element<Bytes>(1, 4);
  ScheduleRequest request{.ranks = ranks,
                          .root = *rc::gen::inRange(0, ranks),
                          .bytes = element * *rc::gen::inRange<Bytes>(0, 5000),
                          .element_bytes = element,
                          .segment_bytes = *rc::gen::inRange<Bytes>(0, 3000),
                          .commutative = !ordered};
  const Index listed = defined_blocks(collective, ranks);
  if (listed > 0 && *rc::gen::arbitrary<bool>()) {
    for (Index block = 0; block < listed; ++block) {
      request.block_bytes.push_back(element * (block * block * 7 % 11 % 5));
    }
  }
  return request;
}

Traffic visited(const Schedule& schedule) {
  Traffic traffic{.rounds = traffic_of(schedule).rounds};
  for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& t) {
    ++traffic.messages;
    traffic.bytes += t.bytes;
  });
  return traffic;
}

class NodeAware : public testing::TestWithParam<Collective> {};

TEST_P(NodeAware, IsCorrectOnAnyMapWithAnyParts) {
  const Collective collective = GetParam();
  const bool holds = rc::check([collective] {
    const Rank ranks = *rc::gen::inRange(1, 50);
    const NodeMap map = any_map(ranks);
    const bool ordered = is_reduction(collective) && map.is_in_rank_order() && *rc::gen::arbitrary<bool>();
    const ScheduleRequest request = any_request(collective, ranks, ordered);
    const NodePhases phases = node_phases(collective);
    NodeParts parts;
    if (phases.up) {
      parts.up = any_part(*phases.up, sizes_within(map), ordered);
    }
    parts.across = any_part(phases.across, {static_cast<Rank>(map.nodes())}, ordered);
    if (phases.down) {
      parts.down = any_part(*phases.down, sizes_within(map), ordered);
    }
    const Schedule schedule = node_aware_schedule(collective, request, map, parts);
    if (const auto mistake = find_dataflow_mistake(schedule, ordered)) {
      RC_FAIL(schedule.algorithm + ": " + *mistake);
    }
    RC_ASSERT(traffic_of(schedule) == visited(schedule));
  });
  EXPECT_TRUE(holds);
}

/// Only leaders' messages cross, and to list one's own rounds is to list all.
TEST_P(NodeAware, CrossesNodesFromLeaderToLeader) {
  const Collective collective = GetParam();
  const bool holds = rc::check([collective] {
    const Rank ranks = *rc::gen::inRange(1, 40);
    const NodeMap map = any_map(ranks);
    const NodePhases phases = node_phases(collective);
    NodeParts parts;
    if (phases.up) {
      parts.up = any_part(*phases.up, sizes_within(map), false);
    }
    parts.across = any_part(phases.across, {static_cast<Rank>(map.nodes())}, false);
    if (phases.down) {
      parts.down = any_part(*phases.down, sizes_within(map), false);
    }
    const ScheduleRequest request{.ranks = ranks, .root = *rc::gen::inRange(0, ranks), .bytes = 24};
    const Schedule schedule = node_aware_schedule(collective, request, map, parts);
    const auto leads = [&](Rank rank) {
      return has_root(collective) && map.node_of(rank) == map.node_of(request.root) ? rank == request.root
                                                                                    : map.member_of(rank) == 0;
    };
    std::map<Rank, std::vector<std::pair<Rank, Bytes>>> sends;
    for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& t) {
      sends[t.source].emplace_back(t.target, t.bytes);
      RC_ASSERT(map.node_of(t.source) == map.node_of(t.target) || (leads(t.source) && leads(t.target)));
    });
    for (Rank rank = 0; rank < ranks; ++rank) {
      std::vector<std::pair<Rank, Bytes>> own;
      for_each_rank_round(schedule, rank, [&](const RankRound& round) {
        for (const Transfer& t : round.sends) {
          own.emplace_back(t.target, t.bytes);
        }
      });
      RC_ASSERT(own == sends[rank]);
    }
  });
  EXPECT_TRUE(holds);
}

INSTANTIATE_TEST_SUITE_P(All, NodeAware, testing::ValuesIn(kCollectives),
                         [](const auto& param) { return std::string(name_of(param.param)); });

}  // namespace
}  // namespace postage
