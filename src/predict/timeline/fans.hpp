#pragma once

#include "predict/timeline/clocks.hpp"

#include <postage/model/fan_limits.hpp>
#include <postage/schedule/schedule.hpp>

#include <cstdint>
#include <limits>
#include <span>

namespace postage {

// The rules of FanLimits, rank by rank. Messages are named by numbers of the caller's.

/// What others of its round delayed a message by.
struct FanDelays {
  static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

  bool starts_serialised = false;        ///< it started when the message before it had been taken in
  std::uint32_t released_by = kNobody;   ///< its transmission began after this one was sent,
  Seconds released_after = 0;            ///< and so much later, as that one had to be taken in first
  std::uint32_t arrives_with = kNobody;  ///< it counts as arrived when this one has
  std::uint32_t served_after = kNobody;  ///< its transmission began when this one had been taken in
  Seconds escalation = 0;                ///< on the way
  Seconds correction = 0;                ///< of what its receiver takes
};

/// What one rank sends in one round.
struct FanOut {
  Index messages = 0;
  Seconds serialised_until = 0;  ///< the end of the last large one
  std::uint32_t last = 0;        ///< the message sent last
  std::uint32_t last_large = 0;

  [[nodiscard]] bool is_fan() const { return messages > 1; }

  /// Before the next message starts: it waits until a large one before it is taken in. True where that decides.
  bool prepare(RankClocks& rank) const {
    const bool decides = messages > 0 && serialised_until > std::max(rank.processor, rank.send_port);
    rank.send_port = decides ? serialised_until : rank.send_port;
    return decides;
  }
  void started(Seconds begin, const TransferCost& cost, bool is_large, std::uint32_t message) {
    ++messages;
    last = message;
    if (is_large) {
      serialised_until = begin + cost.total();
      last_large = message;
    }
  }
  /// After the last one.
  void close(RankClocks& rank) const {
    if (is_fan()) {
      prepare(rank);
    }
  }
  /// When the transmissions of the small ones begin.
  [[nodiscard]] Seconds released(const RankClocks& rank) const { return std::max(rank.processor, serialised_until); }
};

/// What one rank receives in one round: first all messages are expected, then they are taken in, small ones before
/// large ones.
struct FanIn {
  Index messages = 0;
  bool has_medium = false;
  bool has_begun = false;
  Seconds slowest = 0;  ///< arrival of the last small one
  Seconds served = 0;   ///< the end of the one taken in last
  std::uint32_t slowest_message = 0;
  std::uint32_t served_message = 0;

  [[nodiscard]] bool is_fan() const { return messages > 1; }

  void expect(const FanLimits& limits, Bytes bytes, Seconds arrival, std::uint32_t message) {
    ++messages;
    has_medium = has_medium || limits.is_medium(bytes);
    if (!limits.serialises_fan_in(bytes) && arrival >= slowest) {
      slowest = arrival;
      slowest_message = message;
    }
  }

  /// Returns why it arrives when it does, and sets `arrival` to that moment.
  FanDelays delay(const FanLimits& limits, Bytes bytes, const TransferCost& cost, Seconds& arrival) const {
    FanDelays delays{.correction = limits.correction(bytes) / static_cast<double>(messages)};
    const bool is_large = limits.serialises_fan_in(bytes);
    if (has_medium && (!is_large || !has_begun)) {
      delays.escalation = limits.medium.escalation;
    }
    arrival = (is_large ? arrival : slowest) + delays.escalation;
    delays.arrives_with = is_large ? FanDelays::kNobody : slowest_message;
    const Seconds next = served + cost.sender_busy + cost.wire;
    if (is_large && has_begun && next > arrival) {
      arrival = next;
      delays.served_after = served_message;
    }
    return delays;
  }

  /// Takes the message in that reached the rank at `arrival`, which becomes the moment at which it counts as arrived.
  FanDelays take_in(RankClocks& rank, const FanLimits& limits, Bytes bytes, Seconds& arrival, TransferCost cost,
                    std::uint32_t message) {
    const FanDelays delays = delay(limits, bytes, cost, arrival);
    cost.receiver_busy += delays.correction;
    rank.receive_port = std::max(rank.receive_port, arrival);
    postage::take_in(rank, arrival, cost);
    has_begun = true;
    served = rank.processor;
    served_message = message;
    return delays;
  }
};

/// Takes in the messages of one round, several, which are in the order of their arrival.
template <typename Message>
void take_in_fan(RankClocks& rank, const FanLimits& limits, std::span<const Message> messages) {
  FanIn fan;
  for (const Message& message : messages) {
    fan.expect(limits, message.bytes, message.arrival, 0);
  }
  for (const bool is_large : {false, true}) {
    for (const Message& message : messages) {
      if (limits.serialises_fan_in(message.bytes) == is_large) {
        Seconds arrival = message.arrival;
        fan.take_in(rank, limits, message.bytes, arrival, message.cost, 0);
      }
    }
  }
}

/// The same sends backwards, for one rank's messages of one round: call it for each, the last one first.
/// `from_small_ones` is the remainder from the moment at which the small ones' transmissions begin.
inline void before_start_in_fan(RankRemainders& rank, bool is_large, Seconds from_arrival, Seconds from_small_ones,
                                const TransferCost& cost) {
  Seconds from_begin = std::max(rank.processor + cost.sender_busy, rank.send_port + cost.gap);
  if (is_large) {
    from_begin = std::max({from_begin, cost.sender_busy + cost.wire + from_arrival,
                           cost.total() + std::max(rank.send_port, from_small_ones)});
  }
  rank.processor = rank.send_port = from_begin;
}

}  // namespace postage
