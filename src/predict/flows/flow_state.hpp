#pragma once

#include "predict/flows/flow_program.hpp"

#include <postage/model/host_overheads.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace postage {

inline constexpr Seconds kNever = std::numeric_limits<Seconds>::infinity();

/// Moments closer than this are one: what ends together by its form does so in spite of rounding.
inline constexpr Seconds kSameMoment = 1e-12;

/// A message under way.
struct MessageTransit {
  Seconds begun = kNever;  ///< when its source came to the step
  Seconds sent = kNever;
  Seconds posted = kNever;
  Seconds ready = kNever;  ///< from when on it could leave
  Seconds arrival = kNever;
  bool has_departed = false;
  bool has_met = false;  ///< a message that its source fetched meanwhile
  Seconds late = 0;      ///< its bytes, since then
  double moved = 1;      ///< share of its bytes whose time it takes, see FlowLink::further

  /// What it takes longer where it meets one for the first time.
  Seconds meet(Seconds longer) { return std::exchange(has_met, true) ? 0 : longer; }
  /// Less than so long before its source came to the step.
  [[nodiscard]] bool is_posted_late(Seconds spread) const { return posted > begun - spread; }
};

/// Of a step: what has been done in it.
enum class StepPhase : std::uint8_t { kBefore, kSent, kReceived };

struct FlowRank {
  Seconds clock = 0;
  std::size_t step = 0;
  StepPhase phase = StepPhase::kBefore;  ///< of `step`
  std::vector<std::uint32_t> missing{};  ///< receives of each step that have not arrived
  std::uint32_t kept_by = 0;             ///< rendezvous that have not ended, and acknowledgements
  Seconds kept_until = 0;
  bool has_received = false;
  bool has_answered = false;  ///< it has sent after it received

  /// Waits for its sends: false while some are under way.
  bool has_sent() {
    clock = kept_by > 0 ? clock : std::max(clock, kept_until);
    return kept_by == 0;
  }
};

[[nodiscard]] inline std::vector<Seconds> clocks_of(const std::vector<FlowRank>& ranks) {
  std::vector<Seconds> clocks;
  std::transform(ranks.begin(), ranks.end(), std::back_inserter(clocks),
                 [](const FlowRank& rank) { return rank.clock; });
  return clocks;
}

/// What its sends of a step begin later for, since the rank receives in that step, too (t_x; t_b in its first), or has
/// received before (t_a). `exchanged` are the bytes of its largest eager message, where it receives.
inline void delay_sends(FlowRank& rank, const HostOverheads& host, std::optional<Bytes> exchanged) {
  if (exchanged) {
    rank.clock += host.exchange.at(static_cast<double>(*exchanged)) + (rank.step == 0 ? host.simultaneous_start : 0);
  }
  if (rank.has_received && !std::exchange(rank.has_answered, true)) {
    rank.clock += host.first_response;
  }
}

enum class FlowEventKind : std::uint8_t {
  kEnds,      ///< a message that shares nothing
  kBegins,    ///< the bytes of a message, to move
  kFlowEnds,  ///< a flow of a class, or at a resource, unless another version of its end has overtaken this one
  kDeparts,   ///< a message, where those under way slow one another
  kReplies,   ///< the acknowledgement of a message, at its source
};

struct FlowEvent {
  Seconds time = 0;
  std::uint32_t number = 0;  ///< of the message, or what FlowShares or FlowPortions await the end of
  std::uint32_t version = 0;
  FlowEventKind kind = FlowEventKind::kEnds;
  bool operator>(const FlowEvent& other) const {
    return std::tie(time, kind, number) > std::tie(other.time, other.kind, other.number);
  }
};

}  // namespace postage
