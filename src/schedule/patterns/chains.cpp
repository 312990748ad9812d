#include "schedule/patterns/chains.hpp"

#include <algorithm>

namespace postage {
namespace {

/// Chains of one length, one after the other from rank `first` on.
struct EqualChains {
  Index first = 1;
  Index count = 0;
  Index length = 0;
};

struct Chains {
  EqualChains longer;
  EqualChains shorter;
};

Chains cut_chains(Index ranks, Index chains) {
  const Index members = ranks - 1;
  const Index count = std::min(chains, members);
  const Index length = (members + count - 1) / count;
  const Index shorter = count * length - members;
  const Index longer = count - shorter;
  return {{1, longer, length}, {1 + longer * length, shorter, length - 1}};
}

/// In iteration t all chains' ranks number t - 1 send to the next.
AffinePairs links_down(const EqualChains& chains) {
  return {.count = chains.count,
          .source_first = chains.first - 1,
          .source_stride = chains.length,
          .target_first = chains.first,
          .target_stride = chains.length,
          .source_step = 1,
          .target_step = 1};
}

/// In iteration t the ranks number `last` - t send to the one before.
AffinePairs links_up(const EqualChains& chains, Index last) {
  return {.count = chains.count,
          .source_first = chains.first + last,
          .source_stride = chains.length,
          .target_first = chains.first + last - 1,
          .target_stride = chains.length,
          .source_step = -1,
          .target_step = -1};
}

/// Adds a pattern in iterations [begin, end), unless it has no pairs or no iterations.
void add(Round& round, Pattern pattern, Index begin, Index end) {
  if (pair_count(pattern.pairs) > 0 && begin < end) {
    pattern.active = {begin, end};
    round.patterns.push_back(std::move(pattern));
  }
}

}  // namespace

Stage chains_down(Index ranks, Index chains, const Numbering& numbering, const BlockSelector& blocks) {
  const auto [longer, shorter] = cut_chains(ranks, chains);
  Round round;
  for (const EqualChains& equal : {longer, shorter}) {
    const AffinePairs heads{.count = equal.count, .target_first = equal.first, .target_stride = equal.length};
    add(round, {heads, numbering, blocks}, 0, 1);
  }
  for (const EqualChains& equal : {longer, shorter}) {
    add(round, {links_down(equal), numbering, blocks}, 1, equal.length);
  }
  return {.name = "chains", .iterations = longer.length, .rounds = {std::move(round)}};
}

Stage chains_up(Index ranks, Index chains, const Numbering& numbering, const BlockSelector& blocks) {
  const auto [longer, shorter] = cut_chains(ranks, chains);
  const Index steps = longer.length - 1;  // along the chains
  Round round;
  for (const EqualChains& equal : {longer, shorter}) {
    add(round, {links_up(equal, steps), numbering, blocks, Combine::kReduceRight}, longer.length - equal.length, steps);
  }
  Index iteration = steps;
  for (const EqualChains& equal : {longer, shorter}) {
    const AffinePairs heads{
        .count = 1, .source_first = equal.first - iteration * equal.length, .source_step = equal.length};
    add(round, {heads, numbering, blocks, Combine::kReduceRight}, iteration, iteration + equal.count);
    iteration += equal.count;
  }
  return {.name = "chains", .iterations = iteration, .rounds = {std::move(round)}};
}

Stage pipeline_down(Index ranks, const Numbering& numbering, const BlockSelector& blocks, Combine combine) {
  const AffinePairs walk{.count = 1, .target_first = 1, .source_step = 1, .target_step = 1};
  return {.name = "chain", .iterations = ranks - 1, .rounds = {{{{walk, numbering, blocks, combine}}}}};
}

Stage pipeline_up(Index ranks, const Numbering& numbering, const BlockSelector& blocks) {
  const AffinePairs walk{
      .count = 1, .source_first = ranks - 1, .target_first = ranks - 2, .source_step = -1, .target_step = -1};
  return {.name = "chain", .iterations = ranks - 1, .rounds = {{{{walk, numbering, blocks, Combine::kReduceRight}}}}};
}

}  // namespace postage
