#include "predict/flows/fair_rates.hpp"
#include "random_models.hpp"

#include <postage/predict/flows/flows.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace postage {
namespace {

FlowLink any_link() {
  FlowLink link;
  link.send_overhead = any_curve();
  link.receive_overhead = any_curve();
  link.latency = any_time();
  link.seconds_per_byte = any_time(1e-12);
  return link;
}

Flow model_of(const FlowLink& link) {
  Flow model;
  model.links.set_channel(0, {{0, link}});
  return model;
}

/// An algorithm that copies: where it combines, the timeline combines each message as it comes, flows when all are
/// there.
const Algorithm& any_copying_algorithm() {
  std::vector<const Algorithm*> copying;
  for (const Algorithm& algorithm : algorithms()) {
    if (!is_reduction(algorithm.collective)) {
      copying.push_back(&algorithm);
    }
  }
  return **rc::gen::elementOf(copying);
}

Schedule any_copying_schedule(Rank most) {
  const Algorithm& algorithm = any_copying_algorithm();
  ScheduleRequest request{.ranks = *rc::gen::inRange<Rank>(1, most)};
  RC_PRE(can_do(algorithm, request.ranks));
  request.root = has_root(algorithm.collective) ? *rc::gen::inRange<Rank>(0, request.ranks) : 0;
  request.bytes = algorithm.collective == Collective::kBarrier ? 0 : *rc::gen::inRange<Bytes>(0, 100'000);
  request.segment_bytes = *rc::gen::element<Bytes>(0, 7'000);
  return build_schedule(algorithm, request);
}

TransferCost cost_of(const FlowLink& link, Bytes bytes) {
  const auto size = static_cast<double>(bytes);
  return {.sender_busy = link.send_overhead.at(size),
          .wire = link.latency + link.seconds_per_byte * size,
          .receiver_busy = link.receive_overhead.at(size)};
}

/// The flows know no acknowledgements.
RC_GTEST_PROP(Flows, EqualTheTimelineWhereNothingIsShared, ()) {
  const Flow model = model_of(any_link());
  const Schedule schedule = with_protocol(any_copying_schedule(24), Protocol::kDefault);
  const Timeline flows = play_flows(schedule, ChannelMap::single_channel(), model);
  const Timeline line = play(schedule, ChannelMap::single_channel(), model);
  RC_ASSERT(flows.finish.size() == line.finish.size());
  for (std::size_t rank = 0; rank < line.finish.size(); ++rank) {
    RC_ASSERT(std::abs(flows.finish[rank] - line.finish[rank]) <= 1e-9 * line.finish[rank] + 1e-12);
  }
}

/// In a pairwise exchange all ranks send and receive one message a round, all alike: a round takes what P messages that
/// share the node's memory evenly take.
RC_GTEST_PROP(Flows, OfSynchronousRoundsShareEvenly, ()) {
  const auto ranks = static_cast<Rank>(1 << *rc::gen::inRange(1, 6));
  FlowLink link = any_link();
  link.limits.node = any_time(1e-12);
  Platform platform{.name = "node", .implementation = "none", .channels = {kSharedCache}};
  platform.nodes = {{"n0", {}}};
  for (Rank rank = 0; rank < ranks; ++rank) {
    platform.nodes[0].topology.cores.push_back({.pu = rank});
    platform.ranks.push_back({0, rank});
  }
  const ChannelMap map(platform, Mapping::block(1, ranks));
  const Bytes bytes = *rc::gen::inRange<Bytes>(1, 1'000'000);
  const Schedule schedule =
      build_schedule(find_algorithm(Collective::kAlltoall, "pairwise-xor"), {.ranks = ranks, .bytes = bytes});
  const double per_byte = std::max(link.seconds_per_byte, ranks * link.limits.node);
  TransferCost cost = cost_of(link, bytes);
  cost.wire = link.latency + per_byte * static_cast<double>(bytes);
  const Seconds expected = (ranks - 1) * cost.total();
  const Seconds seconds = play_flows(schedule, map, model_of(link)).seconds();
  RC_ASSERT(std::abs(seconds - expected) <= 1e-9 * expected);
}

/// A rendezvous or a message that is awaited never makes a schedule faster.
RC_GTEST_PROP(Flows, AreNeverFasterWhenTheyMustBeAwaited, ()) {
  FlowLink link = any_link();
  const Schedule schedule = any_copying_schedule(16);
  const Seconds eager = play_flows(schedule, ChannelMap::single_channel(), model_of(link)).seconds();
  link.awaited_from = 0;
  const Seconds awaited = play_flows(schedule, ChannelMap::single_channel(), model_of(link)).seconds();
  RC_ASSERT(awaited >= eager * (1 - 1e-9));
}

struct RandomFlow {
  double most = 0;
  std::vector<ResourceUse> uses;
  int count = 1;  ///< flows of the class
};

/// Max-min fair: nothing is overloaded, and whoever is held back is so by his own limit or by something full in which
/// nobody has more.
void check_fair(const std::map<FlowClassId, RandomFlow>& flows, const std::vector<double>& capacities,
                const std::map<FlowClassId, double>& rates) {
  std::vector<double> load(capacities.size(), 0);
  std::vector<double> highest(capacities.size(), 0);
  for (const auto& [id, flow] : flows) {
    for (const ResourceUse& use : flow.uses) {
      load[use.resource] += flow.count * use.weight * rates.at(id);
      highest[use.resource] = std::max(highest[use.resource], rates.at(id));
    }
  }
  for (std::size_t r = 0; r < capacities.size(); ++r) {
    RC_ASSERT(load[r] <= capacities[r] * (1 + 1e-6));
  }
  for (const auto& [id, flow] : flows) {
    const double rate = rates.at(id);
    bool is_held = rate >= flow.most * (1 - 1e-6);
    for (const ResourceUse& use : flow.uses) {
      const bool full = load[use.resource] >= capacities[use.resource] * (1 - 1e-6);
      is_held = is_held || (full && rate >= highest[use.resource] * (1 - 1e-6));
    }
    RC_ASSERT(is_held);
  }
}

RC_GTEST_PROP(FairRates, AreMaxMinFairAsFlowsComeAndGo, ()) {
  FairRates rates;
  std::vector<double> capacities;
  for (int i = *rc::gen::inRange(1, 8); i > 0; --i) {
    capacities.push_back(*rc::gen::inRange(1, 100));
    static_cast<void>(rates.add_resource(capacities.back()));
  }
  std::map<FlowClassId, RandomFlow> flows;
  std::map<FlowClassId, double> current;
  for (int i = 0; i < 30; ++i) {
    if (!flows.empty() && *rc::gen::inRange(0, 3) == 0) {
      const auto first = flows.begin();
      rates.stop(first->first);
      if (--first->second.count == 0) {
        flows.erase(first);
      }
    }
    RandomFlow flow{.most = static_cast<double>(*rc::gen::inRange(1, 60))};
    for (ResourceId r = 0; r < capacities.size(); ++r) {
      if (*rc::gen::inRange(0, 3) == 0) {
        flow.uses.push_back({r, *rc::gen::element(1.0, 0.05)});
      }
    }
    if (flow.uses.empty()) {
      flow.uses.push_back({0, 1});
    }
    const FlowClassId id = rates.add_class(flow.most, flow.uses);
    flow.count = *rc::gen::inRange(1, 4);
    for (int more = 0; more < flow.count; ++more) {
      rates.start(id);
    }
    flows[id] = flow;
    rates.settle([&](FlowClassId changed, double rate) { current[changed] = rate; });
    check_fair(flows, capacities, current);
  }
}

}  // namespace
}  // namespace postage
