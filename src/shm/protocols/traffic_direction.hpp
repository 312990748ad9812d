#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace postage::shm {

/// Recognises bidirectional traffic with one peer without a clock. Every large message, one outside the ring, carries
/// how many large messages its sender has received from its target so far. Where the target has sent more, the two
/// messages are under way at the same time. A conversation or a stream in one direction never is.
class TrafficDirection {
 public:
  void note_sent() { ++sent_; }
  /// Large messages of the peer that found their receives.
  [[nodiscard]] std::uint32_t received() const { return received_; }
  /// One more has; its sender had received `seen` of this rank's when it sent it. Whether the two ranks send at the
  /// same time.
  bool receive(std::uint64_t bytes, std::uint32_t seen) {
    ++received_;
    const bool is_bidirectional = seen != sent_;
    const std::uint32_t bit = 1U << class_of(bytes);
    classes_ = is_bidirectional ? classes_ | bit : classes_ & ~bit;
    count_ += is_bidirectional ? 1 : 0;
    return is_bidirectional;
  }
  /// Whether the last message received of about this size (from one power of two to the next) was bidirectional, so
  /// that the next one sent probably will be.
  [[nodiscard]] bool expects_bidirectional(std::uint64_t bytes) const { return (classes_ >> class_of(bytes) & 1) != 0; }
  /// Messages received that were.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  [[nodiscard]] static std::uint32_t class_of(std::uint64_t bytes) {
    return std::min(static_cast<std::uint32_t>(std::bit_width(bytes)), 31U);
  }

  std::uint32_t sent_ = 0;
  std::uint32_t received_ = 0;
  std::uint32_t classes_ = 0;  ///< a bit for each class of sizes
  std::uint64_t count_ = 0;
};

}  // namespace postage::shm
