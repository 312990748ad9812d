#pragma once

#include "predict/rounds/pattern_messages.hpp"
#include "predict/rounds/rank_work.hpp"

#include <algorithm>
#include <array>

namespace postage {

/// What one rank does in one round of gets (Ali et al.). Those of a channel cost L(m) + L(1) and g(m) for each beyond
/// the first; those of another channel follow them, as table 2 has it: L_1 + q_1 g_1 + L_2 + q_2 g_2 + ... Gets of
/// later rounds that share the rank as their source delay those of this one, but have their own latency there.
class GetWork {
 public:
  void send(ChannelId channel, const TransferCost& cost, Index count) {
    sent_[channel].add(cost, space_of(cost), count);
  }

  /// Acknowledgements, and other messages without data, come as close together as their own gap lets them.
  void receive(ChannelId channel, const TransferCost& cost, Index count) {
    const Seconds space = cost.acknowledgement > 0 ? std::max(cost.gap, cost.receiver_busy) : cost.gap_of_acks;
    received_[channel].add(cost, space, count);
  }

  void send_later(ChannelId channel, const TransferCost& cost) {
    const Seconds space = space_of(cost);
    Later& later = later_[channel];
    later.spacing += later.count == 0 && sent_[channel].is_empty() ? 0 : space;
    ++later.count;
    longest_later_ = std::max(longest_later_, cost.total());
  }

  /// A get that has been charged in the round that it became part of, but for what it shares its channel with here.
  void share(Seconds more) { shared_ = std::max(shared_, more); }

  [[nodiscard]] bool has_later() const { return longest_later_ > 0; }

  [[nodiscard]] Seconds total() const {
    Seconds gaps = 0;
    Seconds own = 0;
    Seconds receiving = 0;
    for (std::size_t c = 0; c < kMostChannels; ++c) {
      gaps += sent_[c].gaps() + later_[c].spacing;
      own += sent_[c].longest;
      receiving += received_[c].gaps() + received_[c].longest;
    }
    return std::max({gaps + std::max(own, longest_later_), receiving, shared_});
  }

 private:
  /// Between messages from one source; the acknowledgements of data come back with their own gap (X).
  [[nodiscard]] static Seconds space_of(const TransferCost& cost) {
    return cost.gap + (cost.acknowledgement > 0 ? cost.gap_of_acks : 0);
  }

  /// Messages of one channel: the time between the first one's end and the last one's, and the longest.
  struct Channel {
    Seconds spacing = 0;
    Seconds widest = 0;
    Seconds longest = 0;

    void add(const TransferCost& cost, Seconds space, Index count) {
      spacing += static_cast<double>(count) * space;
      widest = std::max(widest, space);
      longest = std::max(longest, cost.total());
    }
    [[nodiscard]] bool is_empty() const { return longest == 0; }
    [[nodiscard]] Seconds gaps() const { return spacing - widest; }
  };
  struct Later {
    Seconds spacing = 0;
    Index count = 0;
  };

  std::array<Channel, kMostChannels> sent_{};
  std::array<Channel, kMostChannels> received_{};
  std::array<Later, kMostChannels> later_{};
  Seconds longest_later_ = 0;
  Seconds shared_ = 0;
};

}  // namespace postage
