#pragma once

#include "blade/hardware/session.hpp"

#include <postage/transport/transport.hpp>

#include <map>

namespace postage::blade {

/// Messages between SPEs as Ali et al. describe them (section 3.2): the sender puts the address of the data into the
/// receiver's local store, the receiver gets the data and puts an acknowledgement into the sender's. A message without
/// data is a signal, which nobody acknowledges.
///
///   sender     put address .................................. wait for the acknowledgement
///   receiver              wait for the address, get, put acknowledgement
///
/// The paper charges the acknowledgement to both ends of a round (section 5.4: L(m) + gamma m + L(1) for a receiver): a
/// receiver goes on when its put is done. It waits neither for its addresses nor for its signals to be put: those to
/// several others follow one another closely (sections 4 and 5.1).
class BladeTransport final : public Transport {
 public:
  /// Rank 0 is SPE `first` of the session.
  BladeTransport(Session& session, int first, int rank, int ranks)
      : session_(session), first_(first), rank_(rank), ranks_(ranks) {}

  [[nodiscard]] std::int32_t rank() const override { return rank_; }
  [[nodiscard]] std::int32_t size() const override { return ranks_; }
  [[nodiscard]] std::string host() const override { return "blade"; }
  [[nodiscard]] int bound_pu() const override { return rank_; }
  [[nodiscard]] std::string implementation() const override { return "simulated Cell blade"; }

  void send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  void receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  [[nodiscard]] Request start_send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  [[nodiscard]] Request start_receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  void wait_all(std::span<const Request> requests) override;
  /// Not simulated: programs of a session start together.
  void barrier() override {}
  [[nodiscard]] Seconds now() const override;
  [[nodiscard]] bool has_global_clock() const override { return true; }
  [[nodiscard]] bool is_virtual() const override { return true; }
  void wait_until(Seconds time) override;

 private:
  struct Pending {
    bool sends = false;
    int peer = 0;
    int tag = 0;
    std::span<std::byte> to{};  ///< of a receive
    enum class State { kPosted, kGetting, kArrived, kAcknowledging, kDone } state = State::kPosted;
  };

  [[nodiscard]] Spe& spe(int rank) { return session_.spe(first_ + rank); }
  [[nodiscard]] Spe& spe() { return spe(rank_); }
  [[nodiscard]] Pending* find(bool sends, const Notification& notification);
  /// Deals with one notification; false where the receive that it is for has not been posted.
  bool handle(const Notification& notification);
  void fetch(Pending& receive, const Notification& address);
  /// Whether there was anything to do.
  bool progress();

  Session& session_;
  int first_;
  int rank_;
  int ranks_;
  Request next_ = 0;
  std::map<Request, Pending> pending_;
};

}  // namespace postage::blade
