#pragma once

#include "predict/timeline/followed_rounds.hpp"
#include "predict/timeline/transfer_costs.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace postage {

/// In the schedule's order, which is every rank's own.
using MessageNumber = std::uint32_t;
using StepNumber = std::uint32_t;
inline constexpr std::uint32_t kNoMessage = std::numeric_limits<std::uint32_t>::max();

struct ListedMessage {
  Bytes bytes = 0;
  Rank source = 0;
  Rank target = 0;
  StepNumber target_step = kNoMessage;
  MessageNumber next_sent = kNoMessage;  ///< by the source, in the same round
  std::uint32_t cost = 0;                ///< its place in MessageList::costs()
  ChannelId channel = 0;
};

/// What a rank does in a round in which it takes part.
struct ListedStep {
  std::uint32_t round = 0;
  std::uint32_t receives = 0;
  MessageNumber first_sent = kNoMessage;
  MessageNumber last_sent = kNoMessage;
  StepNumber next = kNoMessage;  ///< of the same rank
};

/// The messages of a schedule, and every rank's rounds, to be followed in another order than the schedule's.
class MessageList {
 public:
  explicit MessageList(Rank ranks);

  void begin_round(const RoundPosition& position) { rounds_.push_back(position); }
  /// A message of the round begun last. Throws Error where there are too many.
  void add(ListedMessage message, const TransferCost& cost);

  [[nodiscard]] Rank ranks() const { return static_cast<Rank>(first_.size()); }
  [[nodiscard]] const std::vector<ListedMessage>& messages() const { return messages_; }
  [[nodiscard]] const std::vector<TransferCost>& costs() const { return costs_; }
  [[nodiscard]] const std::vector<ListedStep>& steps() const { return steps_; }
  [[nodiscard]] StepNumber first_step(Rank rank) const { return first_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const RoundPosition& round_of(const ListedStep& step) const { return rounds_[step.round]; }

 private:
  /// The rank's step in the round begun last.
  StepNumber step_of(Rank rank);
  std::uint32_t place_of(const TransferCost& cost);

  std::vector<ListedMessage> messages_;
  std::vector<TransferCost> costs_;  ///< one for each kind of message, or a few
  std::vector<ListedStep> steps_;
  std::vector<RoundPosition> rounds_;
  std::vector<StepNumber> first_;  ///< [rank]
  std::vector<StepNumber> last_;   ///< [rank]
};

/// Those of the segments followed; no rank sends itself one.
[[nodiscard]] MessageList list_messages(const Schedule& schedule, const FollowedSegments& followed,
                                        TransferCosts& costs);

}  // namespace postage
