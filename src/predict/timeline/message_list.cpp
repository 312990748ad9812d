#include "predict/timeline/message_list.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

/// Of 80 bytes each.
constexpr std::size_t kMostListed = 100'000'000;

}  // namespace

MessageList::MessageList(Rank ranks)
    : first_(static_cast<std::size_t>(ranks), kNoMessage), last_(static_cast<std::size_t>(ranks), kNoMessage) {}

void MessageList::add(ListedMessage message, const TransferCost& cost) {
  if (messages_.size() == kMostListed) {
    throw Error(
        fmt::format("messages of this schedule overtake one another; following them in the order of time "
                    "remembers each of them and stops at {}: take the evaluator rounds",
                    kMostListed));
  }
  const auto number = static_cast<MessageNumber>(messages_.size());
  message.cost = place_of(cost);
  messages_.push_back(message);
  ListedStep& sending = steps_[step_of(message.source)];
  (sending.first_sent == kNoMessage ? sending.first_sent : messages_[sending.last_sent].next_sent) = number;
  sending.last_sent = number;
  messages_.back().target_step = step_of(message.target);
  ++steps_[messages_.back().target_step].receives;
}

/// Messages that follow one another mostly cost the same.
std::uint32_t MessageList::place_of(const TransferCost& cost) {
  constexpr std::size_t kLookedAt = 4;
  const std::size_t first = costs_.size() - std::min(costs_.size(), kLookedAt);
  for (std::size_t place = costs_.size(); place-- > first;) {
    if (costs_[place] == cost) {
      return static_cast<std::uint32_t>(place);
    }
  }
  costs_.push_back(cost);
  return static_cast<std::uint32_t>(costs_.size() - 1);
}

StepNumber MessageList::step_of(Rank rank) {
  StepNumber& last = last_[static_cast<std::size_t>(rank)];
  const auto round = static_cast<std::uint32_t>(rounds_.size() - 1);
  if (last != kNoMessage && steps_[last].round == round) {
    return last;
  }
  const auto added = static_cast<StepNumber>(steps_.size());
  steps_.push_back({.round = round});
  (last == kNoMessage ? first_[static_cast<std::size_t>(rank)] : steps_[last].next) = added;
  last = added;
  return added;
}

MessageList list_messages(const Schedule& schedule, const FollowedSegments& followed, TransferCosts& costs) {
  MessageList list(schedule.ranks);
  for_each_followed_round(schedule, followed, [&](const RoundPosition& position) {
    list.begin_round(position);
    for_each_transfer(schedule, position, [&](const Transfer& transfer) {
      if (transfer.source != transfer.target) {
        const ChannelId channel = costs.channel_of(transfer.source, transfer.target);
        list.add({.bytes = transfer.bytes, .source = transfer.source, .target = transfer.target, .channel = channel},
                 costs.of(transfer.source, transfer.target, channel, transfer.bytes, form_of(*transfer.pattern)));
      }
    });
  });
  return list;
}

}  // namespace postage
