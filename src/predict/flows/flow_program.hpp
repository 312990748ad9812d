#pragma once

#include <postage/model/flow.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/predict/flows/flows.hpp>
#include <postage/schedule/schedule.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace postage {

using MessageId = std::uint32_t;

/// A message of the schedule that passes between two ranks.
struct FlowMessage {
  Rank source = 0;
  Rank target = 0;
  std::uint32_t source_step = 0;  ///< of the source's program
  std::uint32_t target_step = 0;
  Bytes bytes = 0;
  const FlowLink* link = nullptr;
  // What all messages of its source, and of its target, share:
  FlowLimits source_limits{};
  FlowLimits target_limits{};
  Seconds send_overhead = 0;
  Seconds receive_overhead = 0;  ///< 0 for a rendezvous
  /// What it takes longer since its source wrote some of it in this collective.
  Seconds written = 0;
  /// What it takes longer since the schedule has it wait for its receive, where it would not by itself.
  Seconds handshake = 0;
  /// What it takes longer while its source fetches one from its target, and where its target does not wait for it yet.
  Seconds crossing = 0;
  Seconds unawaited = 0;
  Seconds spilled = 0;       ///< what it takes longer since its target moves so much
  Seconds acknowledged = 0;  ///< from its arrival until its source goes on, where it keeps it
  ChannelId channel = 0;
  Index segment = 0;
  Combine combine = Combine::kCopy;
  /// How often its receiver applies the operation to its bytes, unless that is part of the step's `after`.
  int operations = 0;
  /// What the schedule says of it; the link says the rest.
  Protocol protocol = Protocol::kDefault;
  // Of its acknowledgement, a message without data:
  Seconds acknowledge_overhead = 0;  ///< of the target, which sends it
  Seconds acknowledge_latency = 0;
  Seconds acknowledged_overhead = 0;  ///< of the source, which receives it

  /// True where it leaves when its receive is posted.
  [[nodiscard]] bool is_awaited() const { return meets_by_schedule() || link->is_awaited(bytes); }
  /// True where it also keeps its source until it has arrived.
  [[nodiscard]] bool is_rendezvous() const { return meets_by_schedule() || link->is_rendezvous(bytes); }
  /// True where it waits for its receive by the schedule, and would not by itself.
  [[nodiscard]] bool meets_by_schedule_alone() const { return meets_by_schedule() && !link->is_rendezvous(bytes); }
  [[nodiscard]] bool meets_by_schedule() const { return is_get(protocol) || protocol == Protocol::kRendezvous; }
};

/// What a rank does in one round: sends in order, receives.
struct FlowStep {
  std::vector<MessageId> sends{};
  std::vector<MessageId> receives{};
  bool waits_for_earlier_sends = false;  ///< before anything else
  bool receives_start_early = true;      ///< when the step before has started its sends
  bool waits_for_sends = false;          ///< for its own and all earlier ones, before it combines what arrived
  // What the rank copies, and combines, in its own memory, where the model knows what that takes:
  Seconds before_sends = 0;
  Seconds meanwhile = 0;  ///< when its messages are under way, which do not go on without it
  Seconds after = 0;      ///< when those to it have arrived
};

/// A schedule taken apart into the steps of its ranks.
struct FlowProgram {
  std::vector<FlowMessage> messages;
  std::vector<std::vector<FlowStep>> steps;  ///< [rank]
  bool receives_first = false;               ///< each rank posts all of its receives before it sends
};

/// Of a step's eager messages to others, which a rank exchanges; larger ones cross as their limits let them.
[[nodiscard]] Bytes largest_eager(const FlowProgram& program, const FlowStep& step);

/// O(messages) time and memory; O(messages log messages) time where some are awaited, or where it matters what a rank
/// copies or has written. Links point into `model`.
[[nodiscard]] FlowProgram flow_program(const Schedule& schedule, const ChannelMap& channels, const Flow& model);

/// The same of messages that start together, among so many ranks.
[[nodiscard]] FlowProgram flow_program(std::span<const StartedMessage> messages, Rank ranks, const ChannelMap& channels,
                                       const Flow& model);

}  // namespace postage
