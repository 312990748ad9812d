#pragma once

#include <postage/program/program_options.hpp>
#include <postage/schedule/schedule.hpp>

#include <cstdint>
#include <vector>

namespace postage {

/// The memories that a rank's program works on. kSend is only read. kStaging holds blocks that this rank forwards, at
/// their offsets in the schedule's layout, so that blocks contiguous there are contiguous in memory; it exists only
/// while a program is written, and becomes a part of kScratch. kUnassigned, too, exists only then: a block that the
/// rank does not have.
enum class Memory : std::uint8_t { kSend, kReceive, kScratch, kStaging, kUnassigned };

struct Address {
  Memory memory = Memory::kSend;
  Bytes offset = 0;
  bool operator==(const Address&) const = default;
};

[[nodiscard]] inline Address advanced(Address address, Bytes by) {
  return {address.memory, address.offset + by};
}

struct Region {
  Address at;
  Bytes bytes = 0;
  bool operator==(const Region&) const = default;
};

[[nodiscard]] inline bool meet(const Region& a, const Region& b) {
  return a.at.memory == b.at.memory && a.bytes > 0 && b.bytes > 0 && a.at.offset < b.at.offset + b.bytes &&
         b.at.offset < a.at.offset + a.bytes;
}

/// to = from, or to = from op to.
struct LocalOperation {
  Region from;
  Address to;
  bool combines = false;
  [[nodiscard]] Region target() const { return {to, from.bytes}; }
  bool operator==(const LocalOperation&) const = default;
};

struct Message {
  Rank peer = 0;
  Region where;
  Protocol protocol = Protocol::kDefault;
};

/// What a rank does in one round, in this order.
struct Step {
  int tag = 0;
  bool waits_for_earlier_sends = false;
  /// The receives were posted in the step before.
  bool receives_start_early = false;
  std::vector<Message> receives{};
  std::vector<LocalOperation> before_sends{};
  std::vector<Message> sends{};
  /// While the messages are under way.
  std::vector<LocalOperation> meanwhile{};
  /// Waits for this step's sends and all earlier ones, and their acknowledgements, before `after`.
  bool waits_for_sends = false;
  /// When the receives have arrived.
  std::vector<LocalOperation> after{};
  /// The step's only message is best received, or sent, by a call that blocks.
  bool uses_blocking_call = false;
};

/// One rank's part of a schedule.
struct Program {
  Bytes send_bytes = 0;
  Bytes receive_bytes = 0;
  Bytes scratch_bytes = 0;
  std::vector<LocalOperation> start{};
  std::vector<Step> steps{};
  bool waits_before_finish = false;
  std::vector<LocalOperation> finish{};
  Calls calls = Calls::kOverlapping;  ///< the schedule's
};

/// Calls `visit` with every list of local operations.
template <typename AnyProgram, typename Visit>
void for_each_operation_list(AnyProgram& program, const Visit& visit) {
  visit(program.start);
  for (auto& step : program.steps) {
    visit(step.before_sends);
    visit(step.meanwhile);
    visit(step.after);
  }
  visit(program.finish);
}

/// Writes the program: which bytes lie where, what is packed, copied and combined. Decides nothing about waiting.
/// Throws Error where the schedule sends what the rank does not have, and UsageError where the rank cannot work in
/// place.
[[nodiscard]] Program lower(const Schedule& schedule, Rank rank, const ProgramOptions& options);

/// Decides, from the addresses that a program reads and writes, where it must wait for sends, which receives may be
/// posted a step ahead, and which calls block; of a program with blocking calls every step waits for its messages, and
/// works on memory before or after them. O(n log n) for n operations.
void decide_overlap(Program& program);

}  // namespace postage
