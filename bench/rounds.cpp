// Summing up the rounds of every algorithm for 2^20 ranks on a cluster of nodes of 64: none of them visits all ranks.
#include <postage/predict/rounds.hpp>
#include <postage/schedule/algorithms.hpp>

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

namespace {
std::atomic<std::size_t> allocated{0};
}

// Counts what is asked for, to report it beside the times.
void* operator new(std::size_t size) {
  allocated += size;
  if (void* memory = std::malloc(size)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace postage {
namespace {

constexpr Rank kRanks = 1 << 20;
constexpr std::int32_t kPerNode = 64;

Schedule schedule_of(const Algorithm& algorithm) {
  const bool per_rank = algorithm.collective == Collective::kGather || algorithm.collective == Collective::kScatter ||
                        algorithm.collective == Collective::kAllgather || algorithm.collective == Collective::kAlltoall;
  return build_schedule(algorithm, {.ranks = kRanks, .bytes = per_rank ? Bytes{64} : Bytes{kRanks} * 64});
}

Platform cluster() {
  Node node{.name = "node"};
  node.topology.cores.resize(kPerNode);
  return {.name = "cluster", .channels = {kSharedCache, kInterNode}, .nodes = {node}};
}

Model loggp() {
  LogGP model;
  model.links.set_channel(0, {{0, {1e-7, 2e-7, 3e-7, 4e-7, 1e-10}}});
  model.links.set_channel(1, {{0, {5e-6, 1e-6, 2e-6, 4e-6, 8e-10}}});
  return model;
}

template <typename Work>
void repeat(benchmark::State& state, const Work& work) {
  const std::size_t before = allocated;
  for (auto _ : state) {
    work();
  }
  state.counters["bytes"] = static_cast<double>(allocated - before) / static_cast<double>(state.iterations());
}

void sum_up_rounds(benchmark::State& state, const Algorithm* algorithm, bool cyclic) {
  const Mapping mapping =
      cyclic ? Mapping::cyclic(kRanks / kPerNode, kPerNode) : Mapping::block(kRanks / kPerNode, kPerNode);
  const ChannelMap channels(cluster(), mapping);
  const Model model = loggp();
  const Schedule schedule = schedule_of(*algorithm);
  repeat(state, [&] { benchmark::DoNotOptimize(sum_rounds(schedule, channels, model).seconds); });
}

void register_all() {
  for (const Algorithm& algorithm : algorithms()) {
    if (!can_do(algorithm, kRanks)) {
      continue;
    }
    const std::string name = std::string(name_of(algorithm.collective)) + "/" + std::string(algorithm.name);
    benchmark::RegisterBenchmark(("sum_rounds/block/" + name).c_str(), sum_up_rounds, &algorithm, false)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("sum_rounds/cyclic/" + name).c_str(), sum_up_rounds, &algorithm, true)
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  postage::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
