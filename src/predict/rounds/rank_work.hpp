#pragma once

#include <postage/model/transfer.hpp>

#include <algorithm>
#include <array>

namespace postage {

/// Messages of one rank in one direction, one after another at max(busy, gap); the slowest adds the rest of its cost.
struct Queue {
  Seconds spacing = 0;
  Seconds rest = 0;

  void add(const TransferCost& cost, Seconds busy, Seconds gap, Index times) {
    const Seconds space = std::max(busy, gap);
    spacing += static_cast<double>(times) * space;
    rest = std::max(rest, cost.total() - space);
  }
  [[nodiscard]] Seconds total() const { return spacing + rest; }
};

/// What a rank does in the three steps that a message takes: it leaves its source; it crosses the network, or, where it
/// crosses none, is taken in; it is taken in from the network.
struct Steps {
  std::array<Seconds, 3> seconds{};

  void send(const TransferCost& cost, Index times) {
    seconds[0] += static_cast<double>(times) * cost.sender_busy;
    seconds[1] += static_cast<double>(times) * cost.wire;
  }
  void receive(const TransferCost& cost, Index times) {
    seconds[cost.wire > 0 ? 2 : 1] += static_cast<double>(times) * cost.receiver_busy;
  }
  void at_least(const Steps& other) {
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      seconds[i] = std::max(seconds[i], other.seconds[i]);
    }
  }
  [[nodiscard]] Seconds total() const { return seconds[0] + seconds[1] + seconds[2]; }
};

/// What one rank does in one round, or in all rounds of a segment.
struct RankWork {
  Queue sends;
  Queue receives;
  Seconds processor = 0;
  Steps sent;
  Steps received;

  void send(const TransferCost& cost, Index times) {
    sends.add(cost, cost.sender_busy, cost.gap, times);
    processor += static_cast<double>(times) * cost.sender_busy;
    sent.send(cost, times);
  }
  void receive(const TransferCost& cost, Index times) {
    receives.add(cost, cost.receiver_busy, cost.receive_gap(), times);
    processor += static_cast<double>(times) * cost.receiver_busy;
    received.receive(cost, times);
  }
  [[nodiscard]] Seconds total() const { return std::max(sends.total(), receives.total()); }
  /// From one segment to the next: neither the processor nor a port can do better.
  [[nodiscard]] Seconds period() const { return std::max({processor, sends.spacing, receives.spacing}); }
};

}  // namespace postage
