#include "schedule/patterns/butterflies.hpp"

#include "schedule/patterns/vectors.hpp"

#include <algorithm>
#include <bit>

namespace postage {
namespace {

TiledPairs partners(Index ranks, Index distance, Index source_first, Index target_first) {
  const Index whole = ranks / (2 * distance) * distance;
  const Index partial = std::max<Index>(ranks % (2 * distance) - distance, 0);
  return {.count = whole + partial,
          .width = distance,
          .stride = 2 * distance,
          .source_first = source_first,
          .target_first = target_first};
}

/// The neighbours 2i and 2i+1 among the first 2*count: every even one to the odd one, or back.
AffinePairs neighbours(Index count, bool to_odd) {
  return {.count = count,
          .source_first = to_odd ? 0 : 1,
          .source_stride = 2,
          .target_first = to_odd ? 1 : 0,
          .target_stride = 2};
}

/// One round of one pattern, or none where it has no pairs.
std::vector<Round> unless_empty(const Pattern& pattern) {
  return pair_count(pattern.pairs) == 0 ? std::vector<Round>{} : std::vector<Round>{{{pattern}}};
}

/// In the last run of 2*distance virtual ranks only the first `informed` of the lower half have a partner. They hand
/// down the upper half's blocks within the lower half: at each distance d, in every 2*d ranks, those of the first d who
/// know to those of the second d who do not.
void append_hand_down(std::vector<Round>& rounds, Index ranks, Index distance, const Numbering& numbering) {
  const Index informed = ranks % (2 * distance) - distance;
  if (informed <= 0 || informed == distance) {
    return;
  }
  const Index lower_half = ranks / (2 * distance) * 2 * distance;
  for (Index d = distance / 2; d >= 1; d /= 2) {
    const Index first = std::max<Index>(informed - d, 0);
    const Index width = std::min(informed, d) - first;
    if (width > 0) {
      const TiledPairs pairs{.count = distance / (2 * d) * width,
                             .width = width,
                             .stride = 2 * d,
                             .source_first = lower_half + first,
                             .target_first = lower_half + first + d};
      rounds.push_back({{{pairs, numbering, fixed_blocks(informed, lower_half + distance)}}});
    }
  }
}

}  // namespace

PowerOfTwoCore core_of(Index ranks) {
  const auto core = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(ranks)));
  return {core, ranks - core};
}

FoldedNumbering neighbours_first(const PowerOfTwoCore& size, bool keep_odd) {
  return {.remainder = size.remainder,
          .keep_odd = keep_odd,
          .reversed_bits = std::countr_zero(static_cast<std::uint64_t>(size.core))};
}

TiledPairs to_upper(Index ranks, Index distance) {
  return partners(ranks, distance, 0, distance);
}

TiledPairs to_lower(Index ranks, Index distance) {
  return partners(ranks, distance, distance, 0);
}

Round exchange(Index ranks, Index distance, const Numbering& numbering, const BlockSelector& blocks, Exchange kind) {
  const bool reduces = kind == Exchange::kReduce;
  return {{{.pairs = to_upper(ranks, distance),
            .numbering = numbering,
            .blocks = blocks,
            .combine = reduces ? Combine::kReduceLeft : Combine::kCopy},
           {.pairs = to_lower(ranks, distance),
            .numbering = numbering,
            .blocks = blocks,
            .combine = reduces ? Combine::kReduceRight : Combine::kCopy}}};
}

std::vector<Round> doubling_exchanges(Index ranks, const Numbering& numbering, const BlockSelector& blocks,
                                      Exchange kind) {
  std::vector<Round> rounds;
  for (Index distance = 1; distance < ranks; distance *= 2) {
    rounds.push_back(exchange(ranks, distance, numbering, blocks, kind));
    for (Pattern& pattern : rounds.back().patterns) {
      pattern.updates_what_it_sends = kind == Exchange::kReduce;
    }
  }
  return rounds;
}

std::vector<Round> halving_reduce_scatter(Index ranks, const Numbering& numbering) {
  std::vector<Round> rounds;
  for (Index distance = ranks / 2; distance >= 1; distance /= 2) {
    rounds.push_back(exchange(ranks, distance, numbering, run_of_target(distance), Exchange::kReduce));
  }
  return rounds;
}

std::vector<Round> doubling_allgather(Index ranks, const Numbering& numbering) {
  std::vector<Round> rounds;
  for (Index distance = 1; distance < ranks; distance *= 2) {
    rounds.push_back(exchange(ranks, distance, numbering, run_of_source(distance, ranks), Exchange::kCopy));
    append_hand_down(rounds, ranks, distance, numbering);
  }
  return rounds;
}

std::vector<Round> binomial_gather(Index ranks, Index root, Index below, const Numbering& numbering) {
  std::vector<Round> rounds;
  for (Index distance = 1; distance < below; distance *= 2) {
    const Index stride = 2 * distance;
    const Index target = root % stride;
    const AffinePairs pairs{.count = ranks / stride,
                            .source_first = target ^ distance,
                            .source_stride = stride,
                            .target_first = target,
                            .target_stride = stride};
    rounds.push_back({{{pairs, numbering, run_of_source(distance)}}});
  }
  return rounds;
}

std::vector<Round> fold(Index remainder, bool keep_odd, const Numbering& numbering, const BlockSelector& blocks) {
  return unless_empty({.pairs = neighbours(remainder, keep_odd),
                       .numbering = numbering,
                       .blocks = blocks,
                       .combine = keep_odd ? Combine::kReduceLeft : Combine::kReduceRight});
}

std::vector<Round> unfold(Index remainder, bool keep_odd, const Numbering& numbering, const BlockSelector& blocks) {
  return unless_empty({neighbours(remainder, !keep_odd), numbering, blocks});
}

std::vector<Round> fold_halves(Index remainder, bool keep_odd, const Numbering& numbering, Index blocks) {
  if (remainder == 0) {
    return {};
  }
  const BlockSpan lower = fixed_blocks(blocks / 2);
  const BlockSpan upper = fixed_blocks(blocks / 2, blocks / 2);
  const Pattern to_odd{neighbours(remainder, true), numbering, upper, Combine::kReduceLeft};
  const Pattern to_even{neighbours(remainder, false), numbering, lower, Combine::kReduceRight};
  const Pattern hand_over{neighbours(remainder, keep_odd), numbering, keep_odd ? lower : upper};
  return {{{to_odd, to_even}}, {{hand_over}}};
}

std::vector<Round> fold_upper(const PowerOfTwoCore& size, const Numbering& numbering, const BlockSelector& blocks,
                              Combine combine) {
  const AffinePairs down{.count = size.remainder, .source_first = size.core, .source_stride = 1, .target_stride = 1};
  return unless_empty({.pairs = down, .numbering = numbering, .blocks = blocks, .combine = combine});
}

std::vector<Round> unfold_upper(const PowerOfTwoCore& size, const Numbering& numbering, const BlockSelector& blocks) {
  const AffinePairs up{.count = size.remainder, .source_stride = 1, .target_first = size.core, .target_stride = 1};
  return unless_empty({.pairs = up, .numbering = numbering, .blocks = blocks});
}

void append(std::vector<Round>& rounds, const std::vector<Round>& more) {
  rounds.insert(rounds.end(), more.begin(), more.end());
}

}  // namespace postage
