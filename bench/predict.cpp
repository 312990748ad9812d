// Playing schedules of many ranks, message by message, and summing up their rounds.
#include <postage/predict/rounds/rounds.hpp>
#include <postage/predict/timeline/timeline.hpp>
#include <postage/schedule/algorithms.hpp>

#include <benchmark/benchmark.h>

namespace postage {
namespace {

constexpr std::int32_t kPerNode = 16;

Platform cluster() {
  Node node{.name = "node"};
  node.topology.cores.resize(kPerNode);
  return {.name = "cluster", .channels = {kSharedCache, kInterNode}, .nodes = {node}};
}

Model loggp(const Platform& platform) {
  return build_model(parse_parameters("loggp",
                                      "[shared-cache] L=0.1us,o=0.2us,g=0.4us,G=0.1ns "
                                      "[inter-node] L=5us,o=1us,g=2us,G=0.8ns"),
                     platform.channels);
}

Model tau_lop(const Platform& platform) {
  return build_model(parse_parameters("taulop", find_model("taulop").example), platform.channels);
}

Schedule schedule_for(Collective collective, const char* algorithm, const benchmark::State& state) {
  const Bytes bytes = collective == Collective::kBarrier ? 0 : 65536;
  return build_schedule(find_algorithm(collective, algorithm),
                        {.ranks = static_cast<Rank>(state.range(0)), .bytes = bytes});
}

void count_messages(const Schedule& schedule, benchmark::State& state) {
  state.counters["messages"] = static_cast<double>(traffic_of(schedule).messages);
}

void play_timeline(benchmark::State& state, Collective collective, const char* algorithm) {
  const Schedule schedule = schedule_for(collective, algorithm, state);
  const Platform platform = cluster();
  const ChannelMap channels(platform, Mapping::block(schedule.ranks / kPerNode, kPerNode));
  const Model model = loggp(platform);
  for (auto _ : state) {
    benchmark::DoNotOptimize(play(schedule, channels, model).seconds());
  }
  count_messages(schedule, state);
}

void sum_up_rounds(benchmark::State& state, Collective collective, const char* algorithm) {
  const Schedule schedule = schedule_for(collective, algorithm, state);
  const Platform platform = cluster();
  const ChannelMap channels(platform, Mapping::block(schedule.ranks / kPerNode, kPerNode));
  const Model model = tau_lop(platform);
  for (auto _ : state) {
    benchmark::DoNotOptimize(sum_rounds(schedule, channels, model).seconds);
  }
  count_messages(schedule, state);
}

BENCHMARK_CAPTURE(play_timeline, bcast_binomial, Collective::kBcast, "binomial")
    ->Arg(1 << 16)
    ->Arg(1 << 20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(play_timeline, barrier_dissemination, Collective::kBarrier, "dissemination")
    ->Arg(1 << 10)
    ->Arg(1 << 12)
    ->Arg(1 << 16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sum_up_rounds, barrier_dissemination, Collective::kBarrier, "dissemination")
    ->Arg(1 << 10)
    ->Arg(1 << 12)
    ->Arg(1 << 16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sum_up_rounds, bcast_binomial, Collective::kBcast, "binomial")
    ->Arg(1 << 16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sum_up_rounds, allgather_ring, Collective::kAllgather, "ring")
    ->Arg(1 << 10)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sum_up_rounds, alltoall_pairwise, Collective::kAlltoall, "pairwise")
    ->Arg(1 << 10)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace postage
