#include "unit/measure/virtual_machine.hpp"

#include <postage/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <tuple>

namespace postage {
namespace {

/// What the ranks share. Given up when one of them fails, so that nobody waits for it.
class World {
 public:
  explicit World(const VirtualMachine& machine) : machine_(machine) {}

  struct Message {
    std::vector<std::byte> bytes;
    Seconds arrival = 0;
  };

  [[nodiscard]] const VirtualMachine& machine() const { return machine_; }

  void post(int source, int target, int tag, Message message) {
    const std::lock_guard lock(mutex_);
    waiting_[{source, target, tag}].push_back(std::move(message));
    changed_.notify_all();
  }

  Message take(int source, int target, int tag) {
    std::unique_lock lock(mutex_);
    std::deque<Message>& queue = waiting_[{source, target, tag}];
    wait(lock, [&] { return !queue.empty(); });
    Message message = std::move(queue.front());
    queue.pop_front();
    return message;
  }

  /// The latest of all ranks' times, when all have come.
  Seconds meet(Seconds time) {
    std::unique_lock lock(mutex_);
    latest_ = std::max(latest_, time);
    const int own_barrier = barrier_;
    if (++met_ == machine_.ranks) {
      met_ = 0;
      ++barrier_;
      barrier_time_ = latest_;
      changed_.notify_all();
    } else {
      wait(lock, [&] { return barrier_ != own_barrier; });
    }
    return barrier_time_;
  }

  void give_up() {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    changed_.notify_all();
  }

 private:
  template <typename Condition>
  void wait(std::unique_lock<std::mutex>& lock, const Condition& condition) {
    changed_.wait(lock, [&] { return given_up_ || condition(); });
    if (!condition()) {
      throw Error("another rank failed");
    }
  }

  const VirtualMachine& machine_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::tuple<int, int, int>, std::deque<Message>> waiting_;
  Seconds latest_ = 0;
  Seconds barrier_time_ = 0;
  int met_ = 0;
  int barrier_ = 0;
  bool given_up_ = false;
};

class VirtualTransport final : public Transport {
 public:
  VirtualTransport(World& world, int rank)
      : world_(world),
        machine_(world.machine()),
        rank_(rank),
        random_(machine_.seed * 1009 + static_cast<unsigned>(rank)) {}

  [[nodiscard]] std::int32_t rank() const override { return rank_; }
  [[nodiscard]] std::int32_t size() const override { return machine_.ranks; }
  [[nodiscard]] std::string host() const override { return std::to_string(rank_ / machine_.ranks_per_host); }
  [[nodiscard]] int bound_pu() const override { return -1; }
  [[nodiscard]] std::string implementation() const override { return "threads"; }

  void send(std::span<const std::byte> message, std::int32_t target, int tag) override {
    spend(machine_.overhead);
    const double bytes = static_cast<double>(message.size());
    const Seconds leaves = std::max(time_, port_free_);
    port_free_ = leaves + slowed(machine_.gap + bytes * machine_.per_byte);
    const Seconds latency = machine_.latency * std::max(1 + machine_.noise * normal(), 0.0);
    world_.post(rank_, target, tag,
                {{message.begin(), message.end()}, leaves + slowed(bytes * machine_.per_byte + latency)});
  }

  void receive(std::span<std::byte> message, std::int32_t source, int tag) override {
    const World::Message taken = world_.take(source, rank_, tag);
    if (taken.bytes.size() != message.size()) {
      throw Error("a message of " + std::to_string(taken.bytes.size()) + " bytes came where one of " +
                  std::to_string(message.size()) + " was awaited");
    }
    std::copy(taken.bytes.begin(), taken.bytes.end(), message.begin());
    time_ = std::max(time_, taken.arrival);
    spend(machine_.overhead);
  }

  Request start_send(std::span<const std::byte> message, std::int32_t target, int tag) override {
    send(message, target, tag);
    started_.push_back({});
    return started_.size() - 1;
  }

  Request start_receive(std::span<std::byte> message, std::int32_t source, int tag) override {
    started_.push_back([this, message, source, tag] { receive(message, source, tag); });
    return started_.size() - 1;
  }

  Request start_send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                             int tag) override {
    send_strided(memory, layout, target, tag);
    started_.push_back({});
    return started_.size() - 1;
  }

  Request start_receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source,
                                int tag) override {
    started_.push_back([this, memory, layout, source, tag] { receive_strided(memory, layout, source, tag); });
    return started_.size() - 1;
  }

  void wait_all(std::span<const Request> requests) override {
    for (const Request request : requests) {
      if (started_[request]) {
        started_[request]();
        started_[request] = {};
      }
    }
  }

  void barrier() override { time_ = world_.meet(time_); }

  [[nodiscard]] Seconds now() const override {
    return machine_.one_clock() ? time_ : machine_.clock_offset[index()] + (1 + machine_.clock_drift[index()]) * time_;
  }
  [[nodiscard]] bool has_global_clock() const override { return machine_.one_clock(); }
  [[nodiscard]] bool is_virtual() const override { return machine_.is_virtual; }
  void wait_until(Seconds time) override {
    time_ = std::max(time_, machine_.one_clock()
                                ? time
                                : (time - machine_.clock_offset[index()]) / (1 + machine_.clock_drift[index()]));
  }
  void account_for(double operations) override { spend(operations * machine_.operation); }

 private:
  void spend(Seconds seconds) { time_ += slowed(seconds); }
  [[nodiscard]] Seconds slowed(Seconds seconds) const {
    return seconds * (time_ >= machine_.slow_from && time_ < machine_.slow_until ? machine_.slow_factor : 1);
  }
  [[nodiscard]] std::size_t index() const { return static_cast<std::size_t>(rank_); }
  double uniform() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * M_PI * uniform()); }

  World& world_;
  const VirtualMachine& machine_;
  int rank_;
  std::mt19937_64 random_;
  Seconds time_ = 0;
  Seconds port_free_ = 0;
  std::vector<std::function<void()>> started_;
};

}  // namespace

void run_ranks(const VirtualMachine& machine, const std::function<void(Transport&)>& work) {
  World world(machine);
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < machine.ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        VirtualTransport transport(world, rank);
        work(transport);
      } catch (...) {
        const std::lock_guard lock(mutex);
        first = first ? first : std::current_exception();
        world.give_up();
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  if (first) {
    std::rethrow_exception(first);
  }
}

}  // namespace postage
