#pragma once

#include "predict/protocol_cost.hpp"
#include "predict/timeline/clocks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace postage {

/// Messages that one rank has started without waiting, in a model of gets: gets that share it as their source, which
/// end together (Ali et al., section 5.2), or signals of one round. Those of a channel take its longest and a gap for
/// each beyond the first; those of a round's next channel follow them, as tables 1 and 2 have it: L_1 + q_1 g_1 + L_2 +
/// q_2 g_2. Gets of later rounds add their gaps, but have their latency at the same time.
class GetBurst {
 public:
  using MessageNumber = std::uint32_t;
  struct Held {
    MessageNumber number = 0;
    TransferCost cost{};
  };

  [[nodiscard]] bool is_empty() const { return held_.empty(); }
  [[nodiscard]] Seconds begin() const { return begin_; }

  /// A message of a further round that costs this becomes part of the burst, if the rank has not waited since.
  [[nodiscard]] bool takes(const TransferCost& cost) const {
    return held_.empty() || (joins(held_.back().cost) && joins(cost));
  }

  void begin_round() {
    latency_ = std::max(latency_, total_of_round());
    round_ = {};
  }

  /// All begin when the first of them does.
  void start(RankClocks& source, MessageNumber number, ChannelId channel, const TransferCost& cost) {
    begin_ = held_.empty() ? std::max(source.processor, source.send_port) : begin_;
    source.processor = begin_ + cost.sender_busy;
    source.send_port = std::max(begin_, source.send_port) + space_of(cost);
    round_[channel] = std::max(round_[channel], cost.total());
    spacing_ += has_[channel] ? space_of(cost) : 0;
    has_[channel] = true;
    held_.push_back({number, cost});
  }

  /// Calls leave(number, arrival, what of it is due to the others) for each; the next message starts another burst.
  template <typename Leave>
  void release(const Leave& leave) {
    const Seconds end = begin_ + spacing_ + std::max(latency_, total_of_round());
    for (const auto& [number, cost] : held_) {
      const Seconds alone = begin_ + cost.sender_busy + cost.wire;
      const Seconds arrival = held_.size() == 1 ? alone : end - cost.receiver_busy;
      leave(number, arrival, arrival - alone);
    }
    held_.clear();
    has_ = {};
    round_ = {};
    spacing_ = latency_ = 0;
  }

 private:
  [[nodiscard]] static bool joins(const TransferCost& cost) { return cost.acknowledgement > 0 && !cost.source_waits; }

  /// At the source, to the next message; X adds what acknowledgements need there.
  [[nodiscard]] static Seconds space_of(const TransferCost& cost) {
    return cost.gap + (cost.acknowledgement > 0 ? cost.gap_of_acks : 0);
  }

  [[nodiscard]] Seconds total_of_round() const {
    Seconds sum = 0;
    for (const Seconds longest : round_) {
      sum += longest;
    }
    return sum;
  }

  std::vector<Held> held_;
  std::array<bool, kMostChannels> has_{};
  std::array<Seconds, kMostChannels> round_{};  ///< the longest of each channel, of the round begun last
  Seconds spacing_ = 0;
  Seconds latency_ = 0;  ///< of the rounds before
  Seconds begin_ = 0;
};

}  // namespace postage
