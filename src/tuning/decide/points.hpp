#pragma once

#include <postage/measure/batch.hpp>
#include <postage/tuning/tune.hpp>

#include <string>
#include <vector>

namespace postage {

/// A collective of a size among the first ranks of a job. `bytes` is what DecisionRule::bytes means.
struct TuningPoint {
  Collective collective = Collective::kBcast;
  Rank ranks = 2;
  Bytes bytes = 0;
  auto operator<=>(const TuningPoint&) const = default;
};

/// Numbers of ranks that rules of one measured number may hold for: that one, or those between it and the next one.
struct RankPart {
  Span<Rank> ranks;
  /// Those at which the rule is measured, too: the next measured number. None of the part that is the first one.
  std::vector<Rank> others;
};

/// Of the numbers from one that is measured to before the next that is.
[[nodiscard]] std::vector<RankPart> parts_of(const Span<Rank>& ranks);

/// From each of these numbers to before the next one; the last one by itself. Requires them in order.
[[nodiscard]] std::vector<Span<Rank>> spans_from(const std::vector<Rank>& numbers);

/// The numbers of ranks to measure first: 2, 3, ..., 16, and of both halves of what lies between two powers of two the
/// first, the middle and the last one, since algorithms treat powers and their neighbours differently; the largest one;
/// and what alternating() adds: 17, 20, 23, 24, 27, 30, 31, 32, 33, 40, ....
[[nodiscard]] std::vector<Rank> first_numbers(Rank largest);

/// These numbers and one in the middle between each two neighbours that are both even or both odd: libraries treat
/// even and odd numbers differently, and what holds at both ends of an interval must hold for both.
[[nodiscard]] std::vector<Rank> alternating(const std::vector<Rank>& numbers);

/// Two numbers in a row in the middle between an even and an odd one, such that even and odd alternate; none between
/// neighbours.
[[nodiscard]] std::vector<Rank> middle_pair(Rank below, Rank above);

/// Nodes that communicators of the first ranks of a job are on. Where only one placement is tuned: one node, or more;
/// else each number of nodes by itself. Spans that reach over the end of a node are cut there.
[[nodiscard]] std::vector<CommunicatorSpan> communicator_spans(const Span<Rank>& ranks, const TuningJob& job,
                                                               bool is_only_job);

/// The sizes for one collective: one for barrier, and of those that every rank sends to all none that fill the memory.
[[nodiscard]] std::vector<Bytes> sizes_for(Collective collective, Rank ranks, const std::vector<Bytes>& sizes);

/// One byte, and the sizes with those between each two neighbours: what the default is measured at.
[[nodiscard]] std::vector<Bytes> measured_sizes(const std::vector<Bytes>& sizes);

/// The sizes and those between each two neighbours, multiples of eight.
[[nodiscard]] std::vector<Bytes> with_sizes_between(const std::vector<Bytes>& sizes);

}  // namespace postage
