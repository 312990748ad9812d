#include "tuning/decide/points.hpp"

#include "tuning/decide/neighbouring_sizes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace postage {
namespace {

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

std::vector<Rank> first_numbers(Rank largest) {
  std::set<Rank> numbers{largest};
  for (Rank ranks = 2; ranks <= kMostSingleRanks; ++ranks) {
    numbers.insert(ranks);
  }
  for (Rank power = kMostSingleRanks; power < largest; power *= 2) {
    const Rank middle = power + power / 2;
    for (const Span<Rank>& half : {Span<Rank>{power + 1, middle - 1}, {middle, 2 * power - 1}}) {
      numbers.insert({half.first, half.first + (half.last - half.first) / 2, half.last});
    }
    numbers.insert(2 * power);
  }
  return alternating({numbers.begin(), numbers.upper_bound(largest)});
}

std::vector<Rank> alternating(const std::vector<Rank>& numbers) {
  std::vector<Rank> all;
  for (const Rank number : numbers) {
    if (!all.empty() && (number - all.back()) % 2 == 0) {
      const Rank middle = all.back() + (number - all.back()) / 2;
      all.push_back(middle + ((middle - all.back()) % 2 == 0 ? 1 : 0));
    }
    all.push_back(number);
  }
  return all;
}

std::vector<Rank> middle_pair(Rank below, Rank above) {
  if (above - below < 3) {
    return {};
  }
  const Rank half = (above - below) / 2;
  const Rank first = below + half - (half % 2 == 0 ? 1 : 0);
  return {first, first + 1};
}

std::vector<RankPart> parts_of(const Span<Rank>& ranks) {
  std::vector<RankPart> parts{{{ranks.first, ranks.first}, {}}};
  if (ranks.first < ranks.last) {
    parts.push_back({{ranks.first + 1, ranks.last}, {ranks.last + 1}});
  }
  return parts;
}

std::vector<Span<Rank>> spans_from(const std::vector<Rank>& numbers) {
  std::vector<Span<Rank>> spans;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    spans.push_back({numbers[i], i + 1 < numbers.size() ? numbers[i + 1] - 1 : numbers[i]});
  }
  return spans;
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
      const Bytes between = std::llround(middle / kWordBytes) * kWordBytes;
      if (between > all.back() && between < bytes) {
        all.push_back(between);
      }
    }
    all.push_back(bytes);
  }
  return all;
}

}  // namespace postage
