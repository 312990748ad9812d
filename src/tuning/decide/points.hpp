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

/// Numbers of ranks that one measured number stands for: a power of two and every small number for itself, and other
/// ones for the halves of what is between two powers, which algorithms treat differently.
struct RankSpan {
  Span<Rank> ranks;
  Rank measured = 2;
};

/// A part of a span that a rule may hold for: the number that was measured, those before it, or those behind it.
struct RankPart {
  Span<Rank> ranks;
  /// Those at which the rule is measured, too: all of up to three; else the farthest from the number that was measured
  /// for the span, the nearest, and one in the middle. None of the part that is that number.
  std::vector<Rank> others;
};

[[nodiscard]] std::vector<RankPart> parts_of(const RankSpan& span);

/// 2, 3, ..., 16, 17 to 23 by 20, 24 to 31 by 27, 32, 33 to 47 by 40, ...; cut at the largest number.
[[nodiscard]] std::vector<RankSpan> rank_spans(Rank largest);

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
