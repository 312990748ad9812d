#pragma once

#include <postage/base/units.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/shm/endpoint.hpp>
#include <postage/transport/executor.hpp>
#include <postage/transport/shm/shm_transport.hpp>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace postage::bench {

/// POSTAGE_SINGLE_COPY=0 switches single copy off.
inline ShmOptions endpoint_options() {
  ShmOptions result;
  const char* single_copy = std::getenv("POSTAGE_SINGLE_COPY");
  result.single_copy = single_copy == nullptr || std::string(single_copy) != "0";
  return result;
}

/// Passes messages over shared memory, for the experiments.
class ShmBackend {
 public:
  explicit ShmBackend(ShmEndpoint& endpoint) : endpoint_(endpoint), transport_(endpoint) {}

  [[nodiscard]] int rank() const { return endpoint_.rank(); }
  [[nodiscard]] int size() const { return endpoint_.size(); }
  void send(const void* data, std::size_t bytes, int target) {
    endpoint_.send(std::span(static_cast<const std::byte*>(data), bytes), target, 1);
  }
  void receive(void* data, std::size_t bytes, int source) {
    endpoint_.receive(std::span(static_cast<std::byte*>(data), bytes), source, 1);
  }
  void start_send(const void* data, std::size_t bytes, int target) {
    requests_.push_back(endpoint_.start_send(std::span(static_cast<const std::byte*>(data), bytes), target, 1));
  }
  void start_receive(void* data, std::size_t bytes, int source) {
    requests_.push_back(endpoint_.start_receive(std::span(static_cast<std::byte*>(data), bytes), source, 1));
  }
  void wait_all() {
    endpoint_.wait_all(requests_);
    requests_.clear();
  }
  void barrier() { transport_.barrier(); }

  /// By a schedule of postage.
  [[nodiscard]] std::function<void()> collective(const std::string& name, std::size_t bytes) {
    struct Run {
      RankProgram program;
      std::vector<std::byte> send;
      std::vector<std::byte> receive;
    };
    const Collective kind = parse_collective(name);
    const Schedule schedule = build_schedule(
        find_algorithm(kind, algorithm_for(kind, bytes)),
        {.ranks = size(), .bytes = static_cast<Bytes>(bytes), .element_bytes = is_reduction(kind) ? 4 : 1});
    RankProgram program(schedule, rank(), {.commutative = true});
    const auto run = std::make_shared<Run>(Run{std::move(program), {}, {}});
    run->send.resize(static_cast<std::size_t>(run->program.send_bytes()), std::byte{1});
    run->receive.resize(static_cast<std::size_t>(run->program.receive_bytes()), std::byte{2});
    return [this, run] { run->program.run(transport_, {run->send, run->receive}, add_integers); };
  }

 private:
  static constexpr std::size_t kLongVector = 16384;

  /// Algorithms that any number of ranks can do.
  static std::string_view algorithm_for(Collective kind, std::size_t bytes) {
    if (kind == Collective::kAllreduce) {
      return bytes < kLongVector ? "recursive-doubling" : "rabenseifner";
    }
    return kind == Collective::kAllgather ? "ring" : "linear";
  }

  static void add_integers(std::span<const std::byte> left, std::span<std::byte> right) {
    const auto* from = reinterpret_cast<const std::int32_t*>(left.data());
    auto* to = reinterpret_cast<std::int32_t*>(right.data());
    for (std::size_t i = 0; i < right.size() / sizeof *to; ++i) {
      to[i] = from[i] + to[i];
    }
  }

  ShmEndpoint& endpoint_;
  ShmTransport transport_;
  std::vector<ShmRequest> requests_;
};

}  // namespace postage::bench
