#pragma once

#include "blade/hardware/session.hpp"

#include <postage/transport/transport.hpp>

#include <vector>

namespace postage::blade {

/// MPI messages between the PPEs of a session's blades, rank by blade: all eager, with an overhead at both ends.
class NetworkTransport final : public Transport {
 public:
  NetworkTransport(Session& session, int rank) : session_(session), rank_(rank) {}

  [[nodiscard]] std::int32_t rank() const override { return rank_; }
  [[nodiscard]] std::int32_t size() const override { return session_.blades(); }
  [[nodiscard]] std::string host() const override { return "blade" + std::to_string(rank_); }
  [[nodiscard]] int bound_pu() const override { return 0; }
  [[nodiscard]] std::string implementation() const override { return "simulated network of blades"; }

  void send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  void receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  [[nodiscard]] Request start_send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  [[nodiscard]] Request start_receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  /// Receives in the order given; an eager send is done when it starts.
  void wait_all(std::span<const Request> requests) override;
  /// Not simulated: programs of a session start together.
  void barrier() override {}
  [[nodiscard]] Seconds now() const override;
  [[nodiscard]] bool has_global_clock() const override { return true; }
  [[nodiscard]] bool is_virtual() const override { return true; }
  void wait_until(Seconds time) override;

 private:
  struct PostedReceive {
    std::span<std::byte> to{};
    std::int32_t source = 0;
    bool is_send = false;
  };

  [[nodiscard]] Spe& ppe() { return session_.ppe(rank_); }

  Session& session_;
  int rank_;
  std::vector<PostedReceive> requests_;
};

}  // namespace postage::blade
