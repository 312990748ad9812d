// What a rank's part of a small collective takes by itself: its program over a transport that does nothing.
#include <postage/schedule/algorithms.hpp>
#include <postage/transport/executor.hpp>
#include <postage/transport/idle_transport.hpp>

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace postage {
namespace {

void run_program(benchmark::State& state, const Algorithm& algorithm) {
  const Schedule schedule = build_schedule(algorithm, {.ranks = 2, .bytes = 8, .element_bytes = 1});
  RankProgram program(schedule, 0, {.commutative = true});
  std::vector<std::byte> send(static_cast<std::size_t>(program.send_bytes()));
  std::vector<std::byte> receive(static_cast<std::size_t>(program.receive_bytes()));
  IdleTransport transport(0, schedule.ranks);
  for (auto _ : state) {
    program.run(transport, {send, receive});
  }
}

bool register_all() {
  for (const auto& [collective, name] : {std::pair{Collective::kBcast, "binomial"},
                                         {Collective::kScatter, "linear"},
                                         {Collective::kAllgather, "ring"},
                                         {Collective::kAllgather, "gather-bcast"},
                                         {Collective::kAlltoall, "bruck"}}) {
    const Algorithm& algorithm = find_algorithm(collective, name);
    const std::string title = std::string(name_of(collective)) + "/" + name;
    benchmark::RegisterBenchmark(title.c_str(),
                                 [&algorithm](benchmark::State& state) { run_program(state, algorithm); });
  }
  return true;
}

const bool kRegistered = register_all();

}  // namespace
}  // namespace postage
