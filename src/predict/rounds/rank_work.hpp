#pragma once

#include <postage/model/fan_limits.hpp>
#include <postage/model/transfer.hpp>
#include <postage/schedule/schedule.hpp>

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
  void add(const Queue& other) {
    spacing += other.spacing;
    rest = std::max(rest, other.rest);
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

/// What one rank sends and receives in one round under FanLimits: it costs otherwise with several partners, of which
/// one knows when all are counted.
class FanWork {
 public:
  /// Refers to the limits, which must live longer.
  explicit FanWork(const FanLimits& limits) : limits_(&limits) {}
  explicit FanWork(const FanLimits&& limits) = delete;

  /// `count` messages in round number `round`, which comes `times` times. Adds what is known of another round to
  /// `work`.
  void add(Index round, bool sent, Bytes bytes, const TransferCost& cost, Index count, Index times, RankWork& work) {
    if (round != round_) {
      close(work);
      round_ = round;
    }
    times_ = times;
    sent ? add_sent(bytes, cost, count * times) : add_received(bytes, cost, count * times);
    (sent ? sent_to_ : received_from_) += count;
    work.processor += static_cast<double>(count * times) * (sent ? cost.sender_busy : cost.receiver_busy);
  }
  /// After the last message.
  void close(RankWork& work) {
    work.sends.add(sent_to_ > 1 ? fan_out_ : sends_);
    work.receives.add(received_from_ > 1 ? fan_in_ : receives_);
    if (received_from_ > 1) {
      const auto times = static_cast<double>(times_);
      const Seconds correction = corrections_ / static_cast<double>(received_from_);
      work.processor += correction;
      work.receives.spacing += correction + (has_medium_ ? times * limits_->medium.escalation : 0);
    }
    *this = FanWork(*limits_);
  }

 private:
  void add_sent(Bytes bytes, const TransferCost& cost, Index times) {
    sends_.add(cost, cost.sender_busy, cost.gap, times);
    fan_out_.add(cost, limits_->serialises_fan_out(bytes) ? cost.total() : cost.sender_busy, cost.gap, times);
  }
  void add_received(Bytes bytes, const TransferCost& cost, Index times) {
    receives_.add(cost, cost.receiver_busy, cost.receive_gap(), times);
    fan_in_.add(cost, limits_->serialises_fan_in(bytes) ? cost.total() : cost.receiver_busy, cost.receive_gap(), times);
    corrections_ += static_cast<double>(times) * limits_->correction(bytes);
    has_medium_ = has_medium_ || limits_->is_medium(bytes);
  }

  const FanLimits* limits_;
  Index round_ = -1;
  Index times_ = 1;
  Index sent_to_ = 0;
  Index received_from_ = 0;
  Queue sends_;
  Queue fan_out_;
  Queue receives_;
  Queue fan_in_;
  Seconds corrections_ = 0;
  bool has_medium_ = false;
};

}  // namespace postage
