// Summing up the rounds of every algorithm for a million ranks on a cluster of nodes: none of them visits all ranks.
//
// sum_rounds/PLACES/COLLECTIVE/ALGORITHM: one algorithm under LogGP, whole or its messages in segments.
// worst/MODEL/PLACES: all algorithms one after another under one model; worst_ms is the processor time of the slowest,
// which the label names, and peak_bytes the most memory that one of them held.
#include <postage/predict/rounds/rounds.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/patterns/node_aware.hpp>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace {

std::size_t held_bytes = 0;
std::size_t peak_bytes = 0;

}  // namespace

// Counts what is held, to report it beside the times.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = std::malloc(size)) {
    held_bytes += malloc_usable_size(memory);
    peak_bytes = std::max(peak_bytes, held_bytes);
    return memory;
  }
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  held_bytes -= memory == nullptr ? 0 : malloc_usable_size(memory);
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

namespace postage {
namespace {

/// A job on a cluster.
struct Places {
  const char* name;
  Rank ranks;
  std::int32_t per_node;
  bool cyclic;

  [[nodiscard]] Mapping mapping() const {
    const std::int32_t nodes = (ranks + per_node - 1) / per_node;
    return cyclic ? Mapping::cyclic(nodes, per_node) : Mapping::block(nodes, per_node);
  }
  [[nodiscard]] NodeMap node_map() const {
    return cyclic ? NodeMap::cyclic(ranks, mapping().nodes()) : NodeMap::block(ranks, per_node);
  }
};

constexpr Rank kMillion = 1 << 20;
constexpr Bytes kSegment = 16 << 10;
constexpr Places kPlaces[] = {
    {"1048576/block64", kMillion, 64, false},  {"1048576/cyclic64", kMillion, 64, true},
    {"1000003/block64", 1'000'003, 64, false}, {"1000003/cyclic64", 1'000'003, 64, true},
    {"1048576/block48", kMillion, 48, false},  {"1048576/cyclic48", kMillion, 48, true},
};

Platform cluster(std::int32_t per_node) {
  Node node{.name = "node"};
  node.topology.cores.resize(static_cast<std::size_t>(per_node));
  return {.name = "cluster", .channels = {kSharedCache, kInterNode}, .nodes = {node}};
}

Bytes message_of(Collective collective, Rank ranks) {
  const bool of_one_rank = collective == Collective::kGather || collective == Collective::kScatter ||
                           collective == Collective::kAllgather || collective == Collective::kAlltoall;
  return of_one_rank ? Bytes{64} : Bytes{ranks} * 64;
}

struct NamedSchedule {
  std::string name;
  Schedule schedule;
};

std::vector<NamedSchedule> schedules_for(const Places& places) {
  std::vector<NamedSchedule> schedules;
  for (const Algorithm& algorithm : algorithms()) {
    if (!can_do(algorithm, places.ranks)) {
      continue;
    }
    const ScheduleRequest whole{.ranks = places.ranks, .bytes = message_of(algorithm.collective, places.ranks)};
    const std::string name = std::string(name_of(algorithm.collective)) + "/" + std::string(algorithm.name);
    schedules.push_back({name, build_schedule(algorithm, whole)});
    if (algorithm.segmentable) {
      ScheduleRequest pieces = whole;
      pieces.segment_bytes = kSegment;
      schedules.push_back({name + " in 16K segments", build_schedule(algorithm, pieces)});
    }
  }
  return schedules;
}

/// Of a model that may have parameters of single ranks those that it cannot do without.
Model model_of(const ModelDescriptor& description, const std::vector<std::string>& channels) {
  const std::string_view text = description.name == "lmo" ? "C=40us,t=4ns,beta=100MB/s" : description.example;
  return build_model(parse_parameters(description.name, text), channels);
}

Seconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void sum_up_rounds(benchmark::State& state, const Places& places, const Schedule& schedule) {
  const Platform platform = cluster(places.per_node);
  const ChannelMap channels(platform, places.mapping());
  const Model model = model_of(find_model("loggp"), platform.channels);
  const std::size_t before = held_bytes;
  peak_bytes = held_bytes;
  for (auto _ : state) {
    benchmark::DoNotOptimize(sum_rounds(schedule, channels, model).seconds);
  }
  state.counters["peak_bytes"] = static_cast<double>(peak_bytes - before);
}

void find_worst(benchmark::State& state, const ModelDescriptor& description, const Places& places,
                const std::vector<NamedSchedule>& schedules) {
  const Platform platform = cluster(places.per_node);
  const ChannelMap channels(platform, places.mapping());
  const Model model = model_of(description, platform.channels);
  std::map<std::string, Seconds> least;
  const std::size_t before = held_bytes;
  peak_bytes = held_bytes;
  for (auto _ : state) {
    for (const NamedSchedule& named : schedules) {
      const Seconds begin = processor_time();
      benchmark::DoNotOptimize(sum_rounds(named.schedule, channels, model).seconds);
      const Seconds taken = processor_time() - begin;
      const auto [entry, is_new] = least.try_emplace(named.name, taken);
      entry->second = std::min(entry->second, taken);
    }
  }
  const auto worst =
      std::max_element(least.begin(), least.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  state.counters["worst_ms"] = 1e3 * worst->second;
  state.counters["peak_bytes"] = static_cast<double>(peak_bytes - before);
  state.SetLabel(worst->first);
}

void register_all(const std::map<std::string, std::vector<NamedSchedule>>& schedules) {
  for (const Places& places : kPlaces) {
    const std::vector<NamedSchedule>& all = schedules.at(places.name);
    for (const ModelDescriptor* model : models()) {
      const std::string name = "worst/" + std::string(model->name) + "/" + places.name;
      benchmark::RegisterBenchmark(
          name.c_str(), [&places, &all, model](benchmark::State& state) { find_worst(state, *model, places, all); })
          ->Unit(benchmark::kMillisecond)
          ->Iterations(3);
    }
    for (const NamedSchedule& named : all) {
      const std::string name = "sum_rounds/" + std::string(places.name) + "/" + named.name;
      benchmark::RegisterBenchmark(name.c_str(),
                                   [&](benchmark::State& state) { sum_up_rounds(state, places, named.schedule); })
          ->Unit(benchmark::kMillisecond)
          ->MinTime(0.02);
    }
  }
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  std::map<std::string, std::vector<postage::NamedSchedule>> schedules;
  for (const postage::Places& places : postage::kPlaces) {
    schedules[places.name] = postage::schedules_for(places);
  }
  postage::register_all(schedules);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
