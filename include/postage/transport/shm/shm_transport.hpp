#pragma once

#include <postage/shm/endpoint.hpp>
#include <postage/transport/transport.hpp>

#include <vector>

namespace postage {

/// Messages through shared memory, for schedules and experiments. What the endpoint throws passes through.
class ShmTransport final : public Transport {
 public:
  /// Keeps a reference: the endpoint outlives the transport. Others may use it at the same time in contexts of their
  /// own, from kFirstFreeContext on.
  explicit ShmTransport(ShmEndpoint& endpoint) : endpoint_(endpoint) {}

  static constexpr std::uint32_t kFirstFreeContext = 2;

  [[nodiscard]] std::int32_t rank() const override { return endpoint_.rank(); }
  [[nodiscard]] std::int32_t size() const override { return endpoint_.size(); }
  [[nodiscard]] std::string host() const override;
  [[nodiscard]] int bound_pu() const override;
  [[nodiscard]] std::string implementation() const override { return "postage shm"; }

  void send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  void receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  [[nodiscard]] Request start_send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  [[nodiscard]] Request start_rendezvous(std::span<const std::byte> message, std::int32_t target, int tag) override;
  [[nodiscard]] Request start_receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  void send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                    int tag) override;
  void receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source, int tag) override;
  [[nodiscard]] Request start_send_strided(std::span<const std::byte> memory, const StridedLayout& layout,
                                           std::int32_t target, int tag) override;
  [[nodiscard]] Request start_receive_strided(std::span<std::byte> memory, const StridedLayout& layout,
                                              std::int32_t source, int tag) override;
  void wait_all(std::span<const Request> requests) override;
  /// Dissemination: ceil(log2 P) rounds of empty messages.
  void barrier() override;

  [[nodiscard]] Seconds now() const override;
  [[nodiscard]] bool has_global_clock() const override { return true; }
  [[nodiscard]] bool is_virtual() const override { return false; }
  void wait_until(Seconds time) override;

 private:
  ShmEndpoint& endpoint_;
  std::vector<ShmRequest> waiting_;
};

}  // namespace postage
