#include "estimate/loggp/loggp_pieces.hpp"

#include <algorithm>
#include <limits>

namespace postage {
namespace {

/// Overheads of messages up to this size are those of a small message.
constexpr Bytes kSmall = 64;

/// The gap of the smallest train at or above `from`, or else of the largest below: what a train takes between messages
/// beyond the bytes themselves.
Estimate gap_from(const TimesBySize& intervals, Bytes from, Bytes before, const Estimate& per_byte) {
  auto train = intervals.lower_bound(std::max<Bytes>(from, 1));
  if (train == intervals.end() || train->first >= before) {
    train = train == intervals.begin() ? train : std::prev(train);
  }
  const double rest = static_cast<double>(std::max<Bytes>(train->first - 1, 0));
  return at_least_zero(minus(train->second, scaled(per_byte, rest)));
}

/// What the largest train of the piece takes between messages, by byte; of the largest of all where it has none.
Estimate saturated_per_byte(const TimesBySize& intervals, Bytes from, Bytes before) {
  auto train =
      std::prev(intervals.lower_bound(before) == intervals.begin() ? intervals.end() : intervals.lower_bound(before));
  train = train->first < std::max<Bytes>(from, 1) ? std::prev(intervals.end()) : train;
  return scaled(train->second, 1 / static_cast<double>(std::max<Bytes>(train->first, 1)));
}

/// Of one byte, or of the smallest message that there is.
const Estimate* of_small_message(const TimesBySize& times) {
  const auto found = times.contains(1) ? times.find(1) : times.begin();
  return found == times.end() || found->first > kSmall ? nullptr : &found->second;
}

}  // namespace

std::vector<LogGPPiece> loggp_pieces(const CampaignData& campaign, const ScopeData& scope) {
  const RankOverheads overheads = overheads_of(campaign, scope);
  const Estimate* small_send = of_small_message(overheads.send);
  const Estimate* small_receive = of_small_message(overheads.receive);
  const TimesBySize intervals = train_intervals(scope);
  if (small_send == nullptr || small_receive == nullptr || intervals.empty()) {
    return {};
  }
  std::vector<LogGPPiece> pieces;
  for (std::size_t i = 0; i < scope.lines.size(); ++i) {
    const LinePiece& line = scope.lines[i];
    const Bytes before = i + 1 < scope.lines.size() ? scope.lines[i + 1].from_bytes : std::numeric_limits<Bytes>::max();
    const Estimate whole = plus(line.intercept, line.slope);  // a message of one byte
    const double share = std::min(whole.value / (small_send->value + small_receive->value), 1.0);
    const Estimate send = share < 1 ? scaled(*small_send, share) : *small_send;
    const Estimate receive = share < 1 ? scaled(*small_receive, share) : *small_receive;
    const Estimate per_byte = campaign.settings.gap_per_byte == PerByteMethod::kSlope
                                  ? line.slope
                                  : saturated_per_byte(intervals, line.from_bytes, before);
    pieces.push_back({line.from_bytes, at_least_zero(minus(minus(whole, send), receive)), send, receive,
                      gap_from(intervals, line.from_bytes, before, per_byte), per_byte});
  }
  return pieces;
}

ParameterGroup logp_group(const ScopeData& scope, const LogGPPiece& piece) {
  return {scope.scope,
          piece.from_bytes,
          {{"L", piece.latency}, {"o_s", piece.send_overhead}, {"o_r", piece.receive_overhead}, {"g", piece.gap}}};
}

ParameterGroup loggp_group(const ScopeData& scope, const LogGPPiece& piece) {
  ParameterGroup group = logp_group(scope, piece);
  group.values["G"] = piece.gap_per_byte;
  return group;
}

std::vector<ParameterGroup> loggp_groups(const CampaignData& campaign, const ScopeData& scope) {
  std::vector<ParameterGroup> groups;
  for (const LogGPPiece& piece : loggp_pieces(campaign, scope)) {
    groups.push_back(loggp_group(scope, piece));
  }
  return groups;
}

}  // namespace postage
