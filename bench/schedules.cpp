// Building the schedule of every algorithm for a million ranks, and counting its traffic.
#include <postage/schedule/algorithms.hpp>

#include <benchmark/benchmark.h>

#include <string>

namespace postage {
namespace {

void build_and_count(benchmark::State& state, const Algorithm& algorithm) {
  const ScheduleRequest request{.ranks = static_cast<Rank>(state.range(0)), .bytes = 1 << 20};
  for (auto _ : state) {
    benchmark::DoNotOptimize(traffic_of(build_schedule(algorithm, request)));
  }
}

void own_operations_of_the_last_rank(benchmark::State& state, const Algorithm& algorithm) {
  const Schedule schedule = build_schedule(algorithm, {.ranks = static_cast<Rank>(state.range(0)), .bytes = 1 << 20});
  for (auto _ : state) {
    for_each_rank_round(schedule, schedule.ranks - 1, [](const RankRound& round) { benchmark::DoNotOptimize(&round); });
  }
}

/// A power of two, and a number of ranks that leaves unequal blocks and incomplete levels.
bool register_all() {
  for (const Algorithm& algorithm : algorithms()) {
    const std::string title = std::string(name_of(algorithm.collective)) + "/" + std::string(algorithm.name);
    for (const Rank ranks : {1 << 20, 1'000'003}) {
      if (can_do(algorithm, ranks)) {
        benchmark::RegisterBenchmark(("build_and_count/" + title).c_str(),
                                     [&](benchmark::State& state) { build_and_count(state, algorithm); })
            ->Arg(ranks)
            ->Unit(benchmark::kMicrosecond);
      }
    }
    benchmark::RegisterBenchmark(("own_operations/" + title).c_str(),
                                 [&](benchmark::State& state) { own_operations_of_the_last_rank(state, algorithm); })
        ->Arg(1 << 16)
        ->Unit(benchmark::kMicrosecond);
  }
  return true;
}

const bool kRegistered = register_all();

}  // namespace
}  // namespace postage
