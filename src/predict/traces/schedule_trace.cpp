#include <postage/base/error.hpp>
#include <postage/predict/traces/trace.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

constexpr Index kMostTraced = 10'000'000;

/// Appends a round; `before` are the rank's operations of the round before, which become those of this one.
void append(const RankRound& round, Rank rank, RankTrace& trace, std::vector<std::uint32_t>& before) {
  std::vector<std::uint32_t> now;
  const auto add = [&](TraceKind kind, Rank peer, Bytes bytes) {
    const auto number = static_cast<std::uint32_t>(trace.operations.size());
    trace.operations.push_back({.kind = kind, .peer = peer, .bytes = bytes});
    for (const std::uint32_t operation : before) {
      trace.dependencies.push_back({number, operation, false});
    }
    now.push_back(number);
  };
  for (const Transfer& send : round.sends) {
    if (send.target != rank) {
      add(TraceKind::kSend, send.target, send.bytes);
    }
  }
  for (const Transfer& receive : round.receives) {
    if (receive.source != rank) {
      add(TraceKind::kReceive, receive.source, receive.bytes);
    }
  }
  if (!now.empty()) {
    before = std::move(now);
  }
}

}  // namespace

Trace trace_of(const Schedule& schedule) {
  if (const Index messages = traffic_of(schedule).messages; messages > kMostTraced) {
    throw Error(fmt::format("a trace of {} messages is too large: at most {} are written", messages, kMostTraced));
  }
  Trace trace{std::vector<RankTrace>(static_cast<std::size_t>(schedule.ranks))};
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    std::vector<std::uint32_t> before;
    for_each_rank_round(schedule, rank, [&](const RankRound& round) {
      append(round, rank, trace.ranks[static_cast<std::size_t>(rank)], before);
    });
  }
  return trace;
}

}  // namespace postage
