#pragma once

#include <postage/schedule/schedule.hpp>

#include <cstdint>
#include <vector>

namespace postage {

enum class TraceKind : std::uint8_t { kCompute, kSend, kReceive };

/// What a rank does at a time: computes, sends a message or receives one.
struct TraceOperation {
  TraceKind kind = TraceKind::kCompute;
  Rank peer = -1;  ///< of a message
  std::uint32_t tag = 0;
  Bytes bytes = 0;
  Seconds seconds = 0;          ///< of kCompute
  std::uint32_t processor = 0;  ///< of the rank's: operations on different ones do not wait for each other
};

/// `operation` starts no sooner than `on` has ended or, with `of_start`, has started. Numbers are those of the rank's
/// operations.
struct TraceDependency {
  std::uint32_t operation = 0;
  std::uint32_t on = 0;
  bool of_start = false;
};

struct RankTrace {
  std::vector<TraceOperation> operations{};
  std::vector<TraceDependency> dependencies{};
};

/// A program's computing and messages, as LogGOPSim's GOAL describes them (Hoefler, Siebert, Lumsdaine: Group Operation
/// Assembly Language, ICPP 2009): each rank has operations, and which wait for which. Messages between two ranks with
/// the same tag meet in order.
struct Trace {
  std::vector<RankTrace> ranks{};
  [[nodiscard]] std::size_t operations() const;
};

/// The messages of a schedule: those of one of a rank's rounds wait for those of its round before. Combining takes no
/// time. O(messages) time and memory; throws Error above 10 million messages.
[[nodiscard]] Trace trace_of(const Schedule& schedule);

}  // namespace postage
