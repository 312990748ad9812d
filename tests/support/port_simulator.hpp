#pragma once

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <vector>

namespace postage::test {

/// The timeline from the text of its rules, by events, in the most obvious way: it shares no code with src/predict, and
/// takes O(messages^2).
///
/// A rank enters a round when its processor has done with the one before. It starts its sends in order: each when the
/// processor and the send port are free; the processor is busy for sender_busy, the port for the gap. The message
/// reaches its target sender_busy + wire later. The target's port serves messages in the order in which they reach it,
/// those of one moment in the program's: end = max(arrival, end of the last + own gap). The processor takes in the
/// messages of a round, in the order of their ends, before the rank goes on to its next one.
class PortSimulator {
 public:
  PortSimulator(const Schedule& schedule, const ChannelMap& channels, const Model& model)
      : ranks_(static_cast<std::size_t>(schedule.ranks)) {
    int round = -1;
    RoundPosition last{};
    for_each_transfer(schedule, [&](const RoundPosition& position, const Transfer& transfer) {
      if (round < 0 || !(position == last)) {
        last = position;
        ++round;
      }
      if (transfer.source != transfer.target) {
        add(round, transfer, price(transfer, channels, model));
      }
    });
  }

  /// When each rank has finished.
  std::vector<Seconds> run() {
    for (bool goes_on = true; goes_on;) {
      for (RankState& rank : ranks_) {
        while (finish_round(rank)) {
        }
      }
      goes_on = serve_next();
    }
    std::vector<Seconds> finish;
    for (const RankState& rank : ranks_) {
      finish.push_back(rank.processor_free);
    }
    return finish;
  }

 private:
  static constexpr Seconds kUnknown = std::numeric_limits<Seconds>::infinity();

  struct PortMessage {
    std::size_t target = 0;
    TransferCost cost{};
    Seconds arrival = kUnknown;
    Seconds end = kUnknown;
  };
  struct Work {
    std::vector<std::size_t> sends;  ///< numbers of messages
    std::vector<std::size_t> receives;
  };
  struct RankState {
    std::map<int, Work> rounds;  ///< those that are left
    bool has_entered = false;    ///< the first of them
    Seconds processor_free = 0;
    Seconds send_port_free = 0;
    Seconds last_end = -kUnknown;
  };

  static TransferCost price(const Transfer& transfer, const ChannelMap& channels, const Model& model) {
    TransferCost price = cost(model, {.source = channels.measured_rank(transfer.source),
                                      .target = channels.measured_rank(transfer.target),
                                      .channel = channels.channel_of(transfer.source, transfer.target),
                                      .bytes = transfer.bytes});
    if (transfer.pattern->combine != Combine::kCopy) {
      price.receiver_busy += combine_cost(model, transfer.bytes);
    }
    return price;
  }

  void add(int round, const Transfer& transfer, const TransferCost& price) {
    const auto source = static_cast<std::size_t>(transfer.source);
    const auto target = static_cast<std::size_t>(transfer.target);
    ranks_[source].rounds[round].sends.push_back(messages_.size());
    ranks_[target].rounds[round].receives.push_back(messages_.size());
    messages_.push_back({target, price});
  }

  void enter_round(RankState& rank, const Work& work) {
    rank.has_entered = true;
    for (const std::size_t number : work.sends) {
      PortMessage& message = messages_[number];
      const Seconds start = std::max(rank.processor_free, rank.send_port_free);
      rank.processor_free = start + message.cost.sender_busy;
      rank.send_port_free = start + message.cost.gap;
      message.arrival = start + message.cost.sender_busy + message.cost.wire;
    }
  }

  /// False where there is none left, or something is missing.
  bool finish_round(RankState& rank) {
    if (rank.rounds.empty()) {
      return false;
    }
    Work& work = rank.rounds.begin()->second;
    if (!rank.has_entered) {
      enter_round(rank, work);
    }
    const auto is_missing = [&](std::size_t number) { return messages_[number].end == kUnknown; };
    if (std::any_of(work.receives.begin(), work.receives.end(), is_missing)) {
      return false;
    }
    std::stable_sort(work.receives.begin(), work.receives.end(),
                     [&](std::size_t a, std::size_t b) { return messages_[a].end < messages_[b].end; });
    for (const std::size_t number : work.receives) {
      const PortMessage& message = messages_[number];
      rank.processor_free = std::max(rank.processor_free, message.end) + message.cost.receiver_busy;
    }
    rank.rounds.erase(rank.rounds.begin());
    rank.has_entered = false;
    return true;
  }

  /// The message that arrives first of those that no port has served; of those of one moment, the first of the program.
  bool serve_next() {
    Seconds first = kUnknown;
    for (const PortMessage& message : messages_) {
      first = message.end == kUnknown ? std::min(first, message.arrival) : first;
    }
    for (PortMessage& message : messages_) {
      if (message.end == kUnknown && message.arrival != kUnknown && message.arrival <= first * (1 + 1e-12)) {
        RankState& target = ranks_[message.target];
        message.end = std::max(message.arrival, target.last_end + message.cost.receive_gap());
        target.last_end = message.end;
        return true;
      }
    }
    return false;
  }

  std::vector<RankState> ranks_;
  std::vector<PortMessage> messages_;
};

}  // namespace postage::test
