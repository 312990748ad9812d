// What a rank's part of a small collective takes by itself: its program over a transport that does nothing.
#include <postage/schedule/algorithms.hpp>
#include <postage/transport/executor.hpp>

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace postage {
namespace {

class NoTransport final : public Transport {
 public:
  [[nodiscard]] std::int32_t rank() const override { return 0; }
  [[nodiscard]] std::int32_t size() const override { return 2; }
  [[nodiscard]] std::string host() const override { return {}; }
  [[nodiscard]] int bound_pu() const override { return -1; }
  [[nodiscard]] std::string implementation() const override { return {}; }
  void send(std::span<const std::byte> /*message*/, std::int32_t /*target*/, int /*tag*/) override {}
  void receive(std::span<std::byte> /*message*/, std::int32_t /*source*/, int /*tag*/) override {}
  [[nodiscard]] Request start_send(std::span<const std::byte> /*message*/, std::int32_t /*target*/,
                                   int /*tag*/) override {
    return 0;
  }
  [[nodiscard]] Request start_receive(std::span<std::byte> /*message*/, std::int32_t /*source*/, int /*tag*/) override {
    return 0;
  }
  void wait_all(std::span<const Request> /*requests*/) override {}
  void barrier() override {}
  [[nodiscard]] Seconds now() const override { return 0; }
  [[nodiscard]] bool has_global_clock() const override { return true; }
  [[nodiscard]] bool is_virtual() const override { return false; }
  void wait_until(Seconds /*time*/) override {}
};

void run_program(benchmark::State& state, const Algorithm& algorithm) {
  const Schedule schedule = build_schedule(algorithm, {.ranks = 2, .bytes = 8, .element_bytes = 1});
  RankProgram program(schedule, 0, {.commutative = true});
  std::vector<std::byte> send(static_cast<std::size_t>(program.send_bytes()));
  std::vector<std::byte> receive(static_cast<std::size_t>(program.receive_bytes()));
  NoTransport transport;
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
