#include "transport/binding.hpp"

#include <postage/transport/shm/shm_transport.hpp>

#include <unistd.h>

#include <array>
#include <ctime>

namespace postage {
namespace {

constexpr std::uint32_t kMessages = 0;
constexpr std::uint32_t kBarriers = 1;

template <typename Byte>
StridedSpan<Byte> blocks_of(std::span<Byte> memory, const StridedLayout& layout) {
  return {memory.data(), layout.run_bytes, layout.stride, layout.runs};
}

}  // namespace

std::string ShmTransport::host() const {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

int ShmTransport::bound_pu() const {
  return bound_hardware_thread();
}

void ShmTransport::send(std::span<const std::byte> message, std::int32_t target, int tag) {
  endpoint_.send(message, target, tag, kMessages);
}

void ShmTransport::receive(std::span<std::byte> message, std::int32_t source, int tag) {
  endpoint_.receive(message, source, tag, kMessages);
}

Transport::Request ShmTransport::start_send(std::span<const std::byte> message, std::int32_t target, int tag) {
  return endpoint_.start_send(message, target, tag, kMessages).operation();
}

Transport::Request ShmTransport::start_rendezvous(std::span<const std::byte> message, std::int32_t target, int tag) {
  return endpoint_.start_single_copy(message, target, tag, kMessages).operation();
}

Transport::Request ShmTransport::start_receive(std::span<std::byte> message, std::int32_t source, int tag) {
  return endpoint_.start_receive(message, source, tag, kMessages).operation();
}

void ShmTransport::send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                                int tag) {
  endpoint_.send(blocks_of(memory, layout), target, tag, kMessages);
}

void ShmTransport::receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source,
                                   int tag) {
  endpoint_.receive(blocks_of(memory, layout), source, tag, kMessages);
}

Transport::Request ShmTransport::start_send_strided(std::span<const std::byte> memory, const StridedLayout& layout,
                                                    std::int32_t target, int tag) {
  return endpoint_.start_send(blocks_of(memory, layout), target, tag, kMessages).operation();
}

Transport::Request ShmTransport::start_receive_strided(std::span<std::byte> memory, const StridedLayout& layout,
                                                       std::int32_t source, int tag) {
  return endpoint_.start_receive(blocks_of(memory, layout), source, tag, kMessages).operation();
}

void ShmTransport::wait_all(std::span<const Request> requests) {
  waiting_.clear();
  for (const Request request : requests) {
    waiting_.emplace_back(request);
  }
  endpoint_.wait_all(waiting_);
}

void ShmTransport::barrier() {
  for (std::int32_t distance = 1; distance < size(); distance *= 2) {
    const std::int32_t target = (rank() + distance) % size();
    const std::int32_t source = (rank() - distance + size()) % size();
    endpoint_.send(std::span<const std::byte>(), target, distance, kBarriers);
    endpoint_.receive(std::span<std::byte>(), source, distance, kBarriers);
  }
}

Seconds ShmTransport::now() const {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<Seconds>(time.tv_sec) + 1e-9 * static_cast<Seconds>(time.tv_nsec);
}

void ShmTransport::wait_until(Seconds time) {
  // A sleeping processor wakes up some 40 us late; the moments waited for here are closer than that.
  while (now() < time) {
  }
}

}  // namespace postage
