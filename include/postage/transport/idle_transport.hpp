#pragma once

#include <postage/transport/transport.hpp>

#include <string>

namespace postage {

/// A transport on which nothing happens: sends and receives are done as soon as they are called, and move nothing. What
/// a program takes over it is what it takes by itself.
class IdleTransport final : public Transport {
 public:
  IdleTransport(std::int32_t rank, std::int32_t size) : rank_(rank), size_(size) {}

  [[nodiscard]] std::int32_t rank() const override { return rank_; }
  [[nodiscard]] std::int32_t size() const override { return size_; }
  [[nodiscard]] std::string host() const override { return {}; }
  [[nodiscard]] int bound_pu() const override { return -1; }
  [[nodiscard]] std::string implementation() const override { return "none"; }
  void send(std::span<const std::byte> /*message*/, std::int32_t /*target*/, int /*tag*/) override {}
  void receive(std::span<std::byte> /*message*/, std::int32_t /*source*/, int /*tag*/) override {}
  [[nodiscard]] Request start_send(std::span<const std::byte> /*message*/, std::int32_t /*target*/,
                                   int /*tag*/) override {
    return 0;
  }
  [[nodiscard]] Request start_receive(std::span<std::byte> /*message*/, std::int32_t /*source*/, int /*tag*/) override {
    return 0;
  }
  [[nodiscard]] Request start_send_strided(std::span<const std::byte> /*memory*/, const StridedLayout& /*layout*/,
                                           std::int32_t /*target*/, int /*tag*/) override {
    return 0;
  }
  [[nodiscard]] Request start_receive_strided(std::span<std::byte> /*memory*/, const StridedLayout& /*layout*/,
                                              std::int32_t /*source*/, int /*tag*/) override {
    return 0;
  }
  void wait_all(std::span<const Request> /*requests*/) override {}
  void barrier() override {}
  [[nodiscard]] Seconds now() const override { return 0; }
  [[nodiscard]] bool has_global_clock() const override { return true; }
  [[nodiscard]] bool is_virtual() const override { return true; }
  void wait_until(Seconds /*time*/) override {}

 private:
  std::int32_t rank_;
  std::int32_t size_;
};

}  // namespace postage
