#include "tuning/decide/points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace postage {
namespace {

constexpr Bytes kWord = 8;
/// Communicators of up to so many ranks, a power of two, are all measured: they cost little and differ most.
constexpr Rank kMostSingleRanks = 16;
/// Of all ranks' buffers together: what one node of a small machine can hold many times.
constexpr Bytes kMostMemory = Bytes{1} << 28;

Bytes buffer_bytes(Collective collective, Rank ranks, Bytes bytes) {
  const Bytes each = total_bytes(collective, ranks, bytes);
  const bool is_rooted = collective == Collective::kGather || collective == Collective::kScatter;
  return is_rooted ? each : each * ranks;
}

}  // namespace

std::vector<RankSpan> rank_spans(Rank largest) {
  std::vector<RankSpan> spans;
  for (Rank ranks = 2; ranks <= std::min(largest, kMostSingleRanks); ++ranks) {
    spans.push_back({{ranks, ranks}, ranks});
  }
  for (Rank power = kMostSingleRanks; power < largest; power *= 2) {
    const Rank middle = power + power / 2;
    for (const Span<Rank>& part :
         {Span<Rank>{power + 1, middle - 1}, {middle, 2 * power - 1}, {2 * power, 2 * power}}) {
      if (part.first <= largest) {
        const Rank last = std::min(part.last, largest);
        spans.push_back({{part.first, last}, part.first + (last - part.first) / 2});
      }
    }
  }
  return spans;
}

std::vector<RankPart> parts_of(const RankSpan& span) {
  const auto some_of = [](Rank nearest, Rank farthest) {
    std::vector<Rank> some{nearest, (nearest + farthest) / 2, farthest};
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
  };
  std::vector<RankPart> parts;
  if (span.ranks.first < span.measured) {
    parts.push_back({{span.ranks.first, span.measured - 1}, some_of(span.measured - 1, span.ranks.first)});
  }
  parts.push_back({{span.measured, span.measured}, {}});
  if (span.measured < span.ranks.last) {
    parts.push_back({{span.measured + 1, span.ranks.last}, some_of(span.measured + 1, span.ranks.last)});
  }
  return parts;
}

std::vector<CommunicatorSpan> communicator_spans(const Span<Rank>& ranks, const TuningJob& job, bool is_only_job) {
  std::vector<CommunicatorSpan> spans;
  for (Rank first = ranks.first; first <= ranks.last;) {
    const std::int32_t nodes = (first + job.per_node - 1) / job.per_node;
    const bool to_the_end = is_only_job && nodes > 1;
    const Rank last = to_the_end ? ranks.last : std::min(ranks.last, nodes * job.per_node);
    Span<std::int32_t> on{nodes, nodes};
    if (to_the_end) {
      on = {2};
    }
    spans.push_back({on, {first, last}});
    first = last + 1;
  }
  return spans;
}

std::vector<Bytes> sizes_for(Collective collective, Rank ranks, const std::vector<Bytes>& sizes) {
  if (collective == Collective::kBarrier) {
    return {0};
  }
  std::vector<Bytes> fitting;
  std::copy_if(sizes.begin(), sizes.end(), std::back_inserter(fitting),
               [&](Bytes bytes) { return buffer_bytes(collective, ranks, bytes) <= kMostMemory; });
  return fitting;
}

std::vector<Bytes> measured_sizes(const std::vector<Bytes>& sizes) {
  std::vector<Bytes> all = with_sizes_between(sizes);
  if (!all.empty() && all.front() > 1) {
    all.insert(all.begin(), 1);
  }
  return all;
}

std::vector<Bytes> with_sizes_between(const std::vector<Bytes>& sizes) {
  std::vector<Bytes> all;
  for (const Bytes bytes : sizes) {
    if (!all.empty()) {
      const double middle = std::sqrt(static_cast<double>(all.back()) * static_cast<double>(bytes));
      const Bytes between = std::llround(middle / kWord) * kWord;
      if (between > all.back() && between < bytes) {
        all.push_back(between);
      }
    }
    all.push_back(bytes);
  }
  return all;
}

}  // namespace postage
