#include <postage/model/lmo.hpp>
#include <postage/model/loggp.hpp>
#include <postage/predict/timeline/timeline.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace postage {
namespace {

/// Nodes of `cores` cores: three share a cache, six a socket.
Platform levelled_cluster(std::int32_t cores) {
  Node node{.name = "node"};
  for (std::int32_t core = 0; core < cores; ++core) {
    node.topology.cores.push_back({.pu = core, .socket = core / 6, .cache = core / 3});
  }
  return {.name = "cluster", .channels = {kSharedCache, kIntraSocket, kInterSocket, kInterNode}, .nodes = {node}};
}

double any_seconds(double scale) {
  return scale * *rc::gen::inRange(0, 1000);
}

/// Gaps may be longer or shorter than overheads and latencies.
LogGPLink any_levelled_link() {
  return {any_seconds(1e-8), any_seconds(1e-9), any_seconds(1e-9), any_seconds(1e-8), any_seconds(1e-12)};
}

Model any_levelled_model() {
  LogGP model{.combine_per_byte = any_seconds(1e-12)};
  for (ChannelId channel = 0; channel < 4; ++channel) {
    model.links.set_channel(channel, {{0, any_levelled_link()}, {3000, any_levelled_link()}});
  }
  return model;
}

/// With limits amid the blocks of any_placed_job.
Model any_lmo() {
  Lmo model;
  for (ChannelId channel = 0; channel < 4; ++channel) {
    model.links.set_channel(
        channel, {{0, {any_seconds(1e-12), LmoProcessor{any_seconds(1e-8), any_seconds(1e-12)}, any_seconds(1e-8)}}});
  }
  model.fan_limits = {.scatter_step = *rc::gen::element<Bytes>(0, 50, 1000, 5000, FanLimits::kNever),
                      .gather_small = *rc::gen::element<Bytes>(0, 50, 1000, 5000),
                      .gather_large = *rc::gen::element<Bytes>(5000, 11'000, FanLimits::kNever),
                      .small_correction = any_seconds(1e-12),
                      .large_correction = any_seconds(1e-12)};
  model.fan_limits.medium = {.as_large = *rc::gen::arbitrary<bool>(), .escalation = any_seconds(1e-4)};
  return model;
}

struct PlacedJob {
  Schedule schedule;
  ChannelMap channels;
  std::string text;
};

PlacedJob any_placed_job() {
  const auto per_node = static_cast<std::int32_t>(*rc::gen::element(1, 2, 3, 4, 6, 8, 16));
  const std::int32_t nodes = *rc::gen::inRange(1, 40);
  const bool is_full = *rc::gen::inRange(0, 2) == 0;
  const Rank ranks = is_full ? nodes * per_node : *rc::gen::inRange(1, nodes * per_node + 1);
  const auto all = algorithms();
  const Algorithm& algorithm = all[static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(all.size())))];
  RC_PRE(can_do(algorithm, ranks));
  const Bytes bytes = *rc::gen::element<Bytes>(0, 40, 4096, 10'000, Bytes{ranks} * 4 * 12);
  const Bytes segment = *rc::gen::element<Bytes>(0, 0, 512, 4000);
  const Rank root = has_root(algorithm.collective) ? *rc::gen::inRange<Rank>(0, ranks) : 0;
  const int kind = *rc::gen::inRange(0, 3);
  const Mapping mapping = kind == 0 ? Mapping::block(nodes, per_node) : Mapping::cyclic(nodes, per_node);
  return {build_schedule(algorithm, {.ranks = ranks, .root = root, .bytes = bytes, .segment_bytes = segment}),
          kind == 2 ? ChannelMap::single_channel() : ChannelMap(levelled_cluster(per_node), mapping),
          fmt::format("{} {} P={} root={} m={} segment={} nodes={} per_node={} {}", name_of(algorithm.collective),
                      algorithm.name, ranks, root, bytes, segment, nodes, per_node,
                      std::array{"block", "cyclic", "single"}[static_cast<std::size_t>(kind)])};
}

RC_GTEST_PROP(Representatives, HaveTheTimelineOfAllRanks, ()) {
  const PlacedJob job = any_placed_job();
  const Model model = any_levelled_model();
  const auto found = play_representatives(job.schedule, job.channels, model);
  const Seconds all = play(job.schedule, job.channels, model).seconds();
  if (found && std::abs(*found - all) > 1e-9 * all) {
    RC_LOG() << job.text << ": " << *found << " instead of " << all << '\n';
    RC_FAIL("representatives differ");
  }
  RC_CLASSIFY(found.has_value(), "followed representatives");
}

RC_GTEST_PROP(Representatives, FeelFansAsAllRanksDo, ()) {
  const PlacedJob job = any_placed_job();
  const Model model = any_lmo();
  const auto found = play_representatives(job.schedule, job.channels, model);
  const Seconds all = play(job.schedule, job.channels, model).seconds();
  if (found && std::abs(*found - all) > 1e-9 * all) {
    RC_LOG() << job.text << ": " << *found << " instead of " << all << '\n';
    RC_FAIL("representatives differ");
  }
  RC_CLASSIFY(found.has_value(), "followed representatives");
}

// What the segments left out add is what the last one followed has added, up to what is still unsettled then.
RC_GTEST_PROP(Abridged, IsCloseToTheTimelineOfAllSegments, ()) {
  PlacedJob job = any_placed_job();
  for (Stage& stage : job.schedule.stages) {
    stage.segments = stage.segments > 1 ? *rc::gen::inRange<Index>(2, 60) : 1;
  }
  const Model model = any_levelled_model();
  const Seconds found = play_abridged(job.schedule, job.channels, model, 12);
  const Seconds all = play(job.schedule, job.channels, model).seconds();
  if (std::abs(found - all) > 0.1 * all) {
    RC_LOG() << job.text << ": " << found << " instead of " << all << '\n';
    RC_FAIL("abridged pipelines differ");
  }
  RC_CLASSIFY(std::abs(found - all) < 1e-9 * all, "equal");
  RC_CLASSIFY(std::abs(found - all) > 0.01 * all, "more than 1 % off");
}

}  // namespace
}  // namespace postage
