#pragma once

#include <postage/transport/transport.hpp>

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

namespace postage {

/// Messages between threads that use all freedom that MPI gives: bytes leave a send's buffer only when the receiver
/// waits for them, and a receive's buffer is garbage from the moment it is posted. A program that changes what a send
/// still reads, or touches what a receive may write, throws Error.
class LateWorld {
 public:
  /// Some sends, chosen by `seed`, finish at once as small MPI messages do; the others wait for their receiver.
  LateWorld(std::int32_t ranks, unsigned seed) : seed_(seed), changed_(static_cast<std::size_t>(ranks)) {}

  struct Sent {
    std::span<const std::byte> from;
    StridedLayout layout;          ///< of `from`
    std::vector<std::byte> bytes;  ///< as they were when the send was posted
    bool finished = false;
  };

  [[nodiscard]] std::int32_t ranks() const { return static_cast<std::int32_t>(changed_.size()); }
  std::shared_ptr<Sent> post(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t source,
                             std::int32_t target, int tag);
  void take(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source, std::int32_t target,
            int tag);
  void wait_for(const Sent& sent, std::int32_t source);
  /// Makes all waits throw: another rank has failed.
  void give_up();

 private:
  using Connection = std::tuple<std::int32_t, std::int32_t, int>;
  template <typename Condition>
  void wait_until(std::unique_lock<std::mutex>& lock, std::int32_t rank, const Condition& condition);
  [[nodiscard]] std::condition_variable& changed(std::int32_t rank) { return changed_[static_cast<std::size_t>(rank)]; }

  unsigned seed_;
  std::mutex mutex_;
  std::vector<std::condition_variable> changed_;  ///< one a rank: waking all of them made twice the system calls
  std::map<Connection, std::deque<std::shared_ptr<Sent>>> connections_;
  bool has_given_up_ = false;
};

/// One rank's end of a LateWorld.
class LateTransport final : public Transport {
 public:
  LateTransport(LateWorld& world, std::int32_t rank) : world_(world), rank_(rank) {}

  [[nodiscard]] std::int32_t rank() const override { return rank_; }
  [[nodiscard]] std::int32_t size() const override { return world_.ranks(); }
  [[nodiscard]] std::string host() const override { return "here"; }
  [[nodiscard]] int bound_pu() const override { return -1; }
  [[nodiscard]] std::string implementation() const override { return "threads"; }

  void send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  void receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  [[nodiscard]] Request start_send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  [[nodiscard]] Request start_receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  void send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                    int tag) override;
  void receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source, int tag) override;
  [[nodiscard]] Request start_send_strided(std::span<const std::byte> memory, const StridedLayout& layout,
                                           std::int32_t target, int tag) override;
  [[nodiscard]] Request start_receive_strided(std::span<std::byte> memory, const StridedLayout& layout,
                                              std::int32_t source, int tag) override;
  void wait_all(std::span<const Request> requests) override;
  void barrier() override {}

  [[nodiscard]] Seconds now() const override { return 0; }
  [[nodiscard]] bool has_global_clock() const override { return false; }
  [[nodiscard]] bool is_virtual() const override { return true; }
  void wait_until(Seconds) override {}

  /// Requests that were not waited for.
  [[nodiscard]] std::size_t pending() const { return pending_; }

 private:
  struct Operation {
    std::shared_ptr<LateWorld::Sent> sent;  ///< null for a receive
    std::span<std::byte> into;
    StridedLayout layout;
    std::int32_t source = 0;
    int tag = 0;
  };
  void finish(const Operation& operation);

  LateWorld& world_;
  std::int32_t rank_;
  std::vector<Operation> operations_;
  std::size_t pending_ = 0;
};

}  // namespace postage
