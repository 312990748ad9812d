#pragma once

#include <postage/estimate/campaign_data.hpp>
#include <postage/estimate/estimate.hpp>

#include <optional>
#include <vector>

namespace postage {

/// One-way times between two ranks, or medians over several pairs, and what a receive takes of the largest message that
/// is not awaited.
struct AwaitedCurve {
  std::vector<CurvePoint> points;
  Seconds receive = 0;
};

/// What receives take of messages from `awaited_from` bytes on, which leave only when they are awaited, up to
/// `largest`: a receive that comes late holds such a message's whole way, and shows no overhead. `receive` are those of
/// smaller messages. A simulator charges the overhead after the message has arrived, so that a message alone takes what
/// the line through two smaller ones says: then it is the line through their overheads. Zero at both ends
/// where it takes less on most of the curves that have such sizes, or none has, so that the overhead has gone; nothing
/// without smaller messages.
[[nodiscard]] TimesBySize receives_when_awaited(const TimesBySize& receive, const std::vector<AwaitedCurve>& curves,
                                                Bytes awaited_from, Bytes largest);

/// The line through overheads of receives, at both ends of these sizes.
[[nodiscard]] TimesBySize along_line(const TimesBySize& receive, Bytes from, Bytes largest);

}  // namespace postage
