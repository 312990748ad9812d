#include "random_models.hpp"

#include <postage/predict/flows/flows.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace postage {
namespace {

Platform cluster_of_nodes(std::int32_t nodes, std::int32_t per_node) {
  Platform platform{.name = "cluster", .channels = {kSharedCache, kInterNode}};
  for (std::int32_t node = 0; node < nodes; ++node) {
    platform.nodes.push_back({"n" + std::to_string(node), {}});
    for (std::int32_t core = 0; core < per_node; ++core) {
      platform.nodes.back().topology.cores.push_back({.pu = core});
    }
  }
  return platform;
}

FlowLink any_link_of(Seconds latency, double seconds_per_byte, bool has_limits) {
  const auto limit = [&] { return has_limits ? seconds_per_byte * *rc::gen::inRange(0, 20) / 10.0 : 0; };
  FlowLink link;
  link.send_overhead = any_curve();
  link.receive_overhead = any_curve();
  link.latency = latency;
  link.seconds_per_byte = seconds_per_byte;
  link.limits = {.pair = 0, .sender = limit(), .receiver = limit(), .node = limit()};
  link.rendezvous_above = *rc::gen::element<Bytes>(1'000, 1'000'000);
  return link;
}

Flow any_flow(bool has_limits) {
  Flow model;
  model.links.set_channel(0, {{0, any_link_of(1e-7, 1e-10, has_limits)}});
  model.links.set_channel(1, {{0, any_link_of(1e-5, 1e-9, has_limits)}});
  return model;
}

Schedule any_schedule(Rank ranks) {
  const auto all = algorithms();
  const Algorithm& algorithm = all[*rc::gen::inRange<std::size_t>(0, all.size())];
  RC_PRE(can_do(algorithm, ranks));
  ScheduleRequest request{.ranks = ranks};
  request.root = has_root(algorithm.collective) ? *rc::gen::inRange<Rank>(0, ranks) : 0;
  request.bytes = algorithm.collective == Collective::kBarrier ? 0 : *rc::gen::inRange<Bytes>(0, 100'000) * ranks;
  return build_schedule(algorithm, request);
}

struct Times {
  Seconds flows = 0;
  Seconds portions = 0;
};

/// On up to six nodes of less than `most` ranks.
Times any_times(std::int32_t most, bool has_limits) {
  const std::int32_t nodes = *rc::gen::inRange(1, 7);
  const std::int32_t per_node = *rc::gen::inRange(1, most);
  const ChannelMap channels(cluster_of_nodes(nodes, per_node), Mapping::block(nodes, per_node));
  const Schedule schedule = any_schedule(nodes * per_node);
  const Flow model = any_flow(has_limits);
  return {flow_seconds(schedule, channels, model), portion_seconds(schedule, channels, model)};
}

RC_GTEST_PROP(Portions, AreFlowsWhereNothingIsShared, ()) {
  const auto [flows, portions] = any_times(4, false);
  RC_ASSERT(std::abs(portions - flows) <= 1e-9 * flows);
}

/// One resource gives equal portions to those that use it: so do max-min fair rates, where nothing else slows one.
RC_GTEST_PROP(Portions, AreFlowsWhereOneResourceIsShared, ()) {
  const Rank ranks = *rc::gen::inRange<Rank>(2, 30);
  FlowLink link = any_link_of(1e-5, 1e-12, false);
  link.limits.sender = 1e-9;
  Flow model;
  model.links.set_channel(0, {{0, link}});
  const Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "linear"),
                                           {.ranks = ranks, .bytes = *rc::gen::inRange<Bytes>(1, 1'000'000)});
  const Seconds flows = flow_seconds(schedule, ChannelMap::single_channel(), model);
  RC_ASSERT(std::abs(portion_seconds(schedule, ChannelMap::single_channel(), model) - flows) <= 1e-6 * flows);
}

/// What a flow cannot take at one of its resources is lost to the others there; and ranks that fall out of step do so
/// otherwise.
RC_GTEST_PROP(Portions, AreNearFlows, ()) {
  const auto [flows, portions] = any_times(5, true);
  RC_ASSERT(portions >= flows / 2);
  RC_ASSERT(portions <= flows * 2);
}

}  // namespace
}  // namespace postage
