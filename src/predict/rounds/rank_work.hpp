#pragma once

#include "predict/rounds/pattern_messages.hpp"
#include "predict/rounds/repeated_sum.hpp"

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

  void add(const TransferCost& cost, Seconds busy, Seconds gap, Index times, Index repeats = 1) {
    const Seconds space = std::max(busy, gap);
    spacing = added_repeatedly(spacing, static_cast<double>(times) * space, repeats);
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

  void send(const TransferCost& cost, Index times, Index repeats) {
    add(0, static_cast<double>(times) * cost.sender_busy, repeats);
    add(1, static_cast<double>(times) * cost.wire, repeats);
  }
  void receive(const TransferCost& cost, Index times, Index repeats) {
    add(cost.wire > 0 ? 2 : 1, static_cast<double>(times) * cost.receiver_busy, repeats);
  }
  void at_least(const Steps& other) {
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      seconds[i] = std::max(seconds[i], other.seconds[i]);
    }
  }
  [[nodiscard]] Seconds total() const { return seconds[0] + seconds[1] + seconds[2]; }

 private:
  void add(std::size_t step, Seconds more, Index repeats) {
    seconds[step] = added_repeatedly(seconds[step], more, repeats);
  }
};

/// What one rank does in one round, or in all rounds of a segment. Of messages that are repeated each is added by
/// itself, whatever `times` it counts.
struct RankWork {
  Queue sends;
  Queue receives;
  Seconds processor = 0;
  Steps sent;
  Steps received;

  void send(const TransferCost& cost, Index times, Index repeats = 1) {
    sends.add(cost, cost.sender_busy, cost.gap, times, repeats);
    processor = added_repeatedly(processor, static_cast<double>(times) * cost.sender_busy, repeats);
    sent.send(cost, times, repeats);
  }
  void receive(const TransferCost& cost, Index times, Index repeats = 1) {
    receives.add(cost, cost.receiver_busy, cost.receive_gap(), times, repeats);
    processor = added_repeatedly(processor, static_cast<double>(times) * cost.receiver_busy, repeats);
    received.receive(cost, times, repeats);
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

  /// The messages of a bundle in round number `round`, which comes `times` times. Adds what is known of another round
  /// to `work`.
  void add(Index round, const Bundle& bundle, const TransferCost& cost, Index times, RankWork& work) {
    if (round != round_) {
      close(work);
      round_ = round;
    }
    times_ = times;
    bundle.sent ? add_sent(bundle, cost, times) : add_received(bundle, cost, times);
    (bundle.sent ? sent_to_ : received_from_) += bundle.count * bundle.repeats;
    const Seconds busy = bundle.sent ? cost.sender_busy : cost.receiver_busy;
    work.processor = added_repeatedly(work.processor, static_cast<double>(bundle.count * times) * busy, bundle.repeats);
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
  void add_sent(const Bundle& bundle, const TransferCost& cost, Index times) {
    const Seconds serial = limits_->serialises_fan_out(bundle.bytes) ? cost.total() : cost.sender_busy;
    sends_.add(cost, cost.sender_busy, cost.gap, bundle.count * times, bundle.repeats);
    fan_out_.add(cost, serial, cost.gap, bundle.count * times, bundle.repeats);
  }
  void add_received(const Bundle& bundle, const TransferCost& cost, Index times) {
    const Index each = bundle.count * times;
    const Seconds serial = limits_->serialises_fan_in(bundle.bytes) ? cost.total() : cost.receiver_busy;
    receives_.add(cost, cost.receiver_busy, cost.receive_gap(), each, bundle.repeats);
    fan_in_.add(cost, serial, cost.receive_gap(), each, bundle.repeats);
    corrections_ =
        added_repeatedly(corrections_, static_cast<double>(each) * limits_->correction(bundle.bytes), bundle.repeats);
    has_medium_ = has_medium_ || limits_->is_medium(bundle.bytes);
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
