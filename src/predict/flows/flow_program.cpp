#include "predict/flows/flow_program.hpp"

#include "predict/flows/flow_memory.hpp"
#include "predict/node_ranks.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace postage {
namespace {

class Builder {
 public:
  Builder(Rank ranks, const ChannelMap& channels, const Flow& model)
      : channels_(channels), model_(model), last_round_(static_cast<std::size_t>(ranks), -1) {
    program_.steps.resize(static_cast<std::size_t>(ranks));
  }

  void add(const RoundPosition& position, const Transfer& transfer) {
    if (round_ < 0 || !(position == position_)) {
      position_ = position;
      ++round_;
    }
    if (transfer.source == transfer.target) {
      return;  // a rank needs no message to itself
    }
    const ChannelId channel = channels_.channel_of(transfer.source, transfer.target);
    const auto id = static_cast<MessageId>(program_.messages.size());
    const TransferQuestion question{.source = channels_.measured_rank(transfer.source),
                                    .target = channels_.measured_rank(transfer.target),
                                    .channel = channel,
                                    .bytes = transfer.bytes};
    const FlowLink& link = model_.links.at(question);
    program_.messages.push_back({.source = transfer.source,
                                 .target = transfer.target,
                                 .source_step = step_of(transfer.source),
                                 .target_step = step_of(transfer.target),
                                 .bytes = transfer.bytes,
                                 .link = &link,
                                 .source_limits = limits_of(link, transfer, question.source, channel),
                                 .target_limits = limits_of(link, transfer, question.target, channel),
                                 .send_overhead = model_.send_overhead(link, question.source, channel, transfer.bytes),
                                 .channel = channel,
                                 .segment = position.segment,
                                 .combine = transfer.pattern->combine,
                                 .operations = transfer.pattern->combine != Combine::kCopy ? 1 : 0,
                                 .protocol = transfer.pattern->protocol});
    FlowMessage& message = program_.messages.back();
    message.receive_overhead =
        message.is_rendezvous() ? 0 : model_.receive_overhead(link, question.target, channel, transfer.bytes);
    if (message.meets_by_schedule_alone()) {
      message.handshake = link.host.handshake.at(static_cast<double>(message.bytes));
    }
    message.crossing = link.host.crossing.at(static_cast<double>(message.bytes));
    message.unawaited = link.host.unawaited.at(static_cast<double>(message.bytes));
    message.acknowledged = message.is_rendezvous() ? link.host.acknowledged.at(static_cast<double>(message.bytes)) : 0;
    if (is_get(message.protocol)) {
      const FlowLink& reply =
          model_.links.at({.source = question.target, .target = question.source, .channel = channel});
      message.acknowledge_overhead = model_.send_overhead(reply, question.target, channel, 0);
      message.acknowledge_latency = reply.latency;
      message.acknowledged_overhead = model_.receive_overhead(reply, question.source, channel, 0);
    }
    program_.steps[static_cast<std::size_t>(transfer.source)].back().sends.push_back(id);
    program_.steps[static_cast<std::size_t>(transfer.target)].back().receives.push_back(id);
  }

  [[nodiscard]] FlowProgram take() { return std::move(program_); }

 private:
  /// Those of its processor hold between nodes.
  [[nodiscard]] FlowLimits limits_of(const FlowLink& link, const Transfer& transfer, std::int32_t measured,
                                     ChannelId channel) const {
    const bool is_between_nodes = !channels_.is_single() && channels_.mapping().placement_of(transfer.source).node !=
                                                                channels_.mapping().placement_of(transfer.target).node;
    return is_between_nodes ? model_.limits(link, measured, channel) : link.limits;
  }

  /// The rank's step of this round, which begins with the first transfer that the rank has in it.
  std::uint32_t step_of(Rank rank) {
    auto& steps = program_.steps[static_cast<std::size_t>(rank)];
    auto& last = last_round_[static_cast<std::size_t>(rank)];
    if (last != round_) {
      last = round_;
      steps.emplace_back();
    }
    return static_cast<std::uint32_t>(steps.size() - 1);
  }

  const ChannelMap& channels_;
  const Flow& model_;
  FlowProgram program_;
  RoundPosition position_{};
  std::int64_t round_ = -1;
  std::vector<std::int64_t> last_round_;
};

/// scan and exscan keep a carry beside the result (see Combine): what comes from the left is combined with both, unless
/// the carry still is the result, nobody will be sent the carry any more, or there is no result yet.
class PrefixCounter {
 public:
  PrefixCounter(FlowProgram& program, Collective collective)
      : program_(program), has_first_(collective == Collective::kScan) {}

  void count(const std::vector<FlowStep>& steps) {
    std::map<Index, Held> held;  // by segment
    std::size_t sends_end = steps.size();
    while (sends_end > 0 && steps[sends_end - 1].sends.empty()) {
      --sends_end;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool needs_carry = i + 1 < sends_end;
      for (const MessageId id : steps[i].receives) {
        FlowMessage& message = program_.messages[id];
        Held& own = held.try_emplace(message.segment, Held{has_first_, !has_first_}).first->second;
        message.operations = operations(message.combine, needs_carry, own);
      }
    }
  }

 private:
  struct Held {
    bool result = false;
    bool carry_apart = false;
  };

  static int operations(Combine combine, bool needs_carry, Held& own) {
    if (combine == Combine::kReduceRight) {
      own.carry_apart = true;
      return needs_carry ? 1 : 0;
    }
    const bool with_result = std::exchange(own.result, true);
    return (with_result ? 1 : 0) + (own.carry_apart && needs_carry ? 1 : 0);
  }

  FlowProgram& program_;
  bool has_first_;
};

/// True where it matters when ranks wait and what they do in their memory.
bool needs_programs(const FlowProgram& program, const Flow& model) {
  return has_copies(model) ||
         std::any_of(program.messages.begin(), program.messages.end(), [](const FlowMessage& message) {
           return message.is_awaited() || !message.link->host.rewritten.points().empty();
         });
}

}  // namespace

Bytes largest_eager(const FlowProgram& program, const FlowStep& step) {
  Bytes largest = 0;
  for (const MessageId id : step.sends) {
    const FlowMessage& message = program.messages[id];
    largest = message.is_rendezvous() ? largest : std::max(largest, message.bytes);
  }
  return largest;
}

FlowProgram flow_program(std::span<const StartedMessage> messages, Rank ranks, const ChannelMap& channels,
                         const Flow& model) {
  check_capacity(channels, ranks);
  Builder builder(ranks, channels, model);
  const Pattern plain{};
  for (const StartedMessage& message : messages) {
    builder.add({}, {message.source, message.target, message.bytes, &plain, {}});
  }
  return builder.take();
}

FlowProgram flow_program(const Schedule& schedule, const ChannelMap& channels, const Flow& model) {
  check_capacity(channels, schedule.ranks);
  Builder builder(schedule.ranks, channels, model);
  for_each_transfer(schedule,
                    [&](const RoundPosition& position, const Transfer& transfer) { builder.add(position, transfer); });
  FlowProgram program = builder.take();
  program.receives_first = schedule.calls == Calls::kReceivesFirst;
  if (needs_programs(program, model)) {
    follow_programs(program, schedule, model);
  }
  const bool is_prefix = schedule.collective == Collective::kScan || schedule.collective == Collective::kExscan;
  if (is_prefix && !has_copies(model)) {
    for (const auto& steps : program.steps) {
      PrefixCounter(program, schedule.collective).count(steps);
    }
  }
  return program;
}

}  // namespace postage
