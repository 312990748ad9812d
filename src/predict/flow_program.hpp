#pragma once

#include <postage/model/flow.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

#include <cstdint>
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
  Seconds send_overhead = 0;
  Seconds receive_overhead = 0;  ///< 0 for a rendezvous
  /// What it takes longer since its source wrote some of it in this collective.
  Seconds written = 0;
  ChannelId channel = 0;
  Index segment = 0;
  Combine combine = Combine::kCopy;
  /// How often its receiver applies the operation to its bytes.
  int operations = 0;
};

/// What a rank does in one round: sends in order, receives.
struct FlowStep {
  std::vector<MessageId> sends{};
  std::vector<MessageId> receives{};
};

/// A schedule taken apart into the steps of its ranks.
struct FlowProgram {
  std::vector<FlowMessage> messages;
  std::vector<std::vector<FlowStep>> steps;  ///< [rank]
};

/// O(messages) time and memory. Links point into `model`.
[[nodiscard]] FlowProgram flow_program(const Schedule& schedule, const ChannelMap& channels, const Flow& model);

}  // namespace postage
