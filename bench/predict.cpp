// Playing schedules of many ranks.
#include <postage/predict/timeline.hpp>
#include <postage/schedule/algorithms.hpp>

#include <benchmark/benchmark.h>

namespace postage {
namespace {

Schedule bcast(const char* name, benchmark::State& state) {
  return build_schedule(find_algorithm(Collective::kBcast, name),
                        {.ranks = static_cast<Rank>(state.range(0)), .bytes = 65536});
}

void play_timeline(benchmark::State& state, const char* name) {
  const Schedule schedule = bcast(name, state);
  const std::vector<std::string> channels{"all"};
  const Model model = build_model(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), channels);
  for (auto _ : state) {
    benchmark::DoNotOptimize(play(schedule, ChannelMap::single_channel(), model).seconds());
  }
  state.counters["messages/s"] = benchmark::Counter(static_cast<double>(traffic_of(schedule).messages),
                                                    benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(play_timeline, binomial, "binomial")->Arg(1 << 16)->Arg(1 << 20)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace postage
