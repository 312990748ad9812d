#include "predict/round_symmetry.hpp"

#include "predict/powers_of_two.hpp"

#include <algorithm>

namespace postage {
namespace {

/// Of P ranks numbered as they are, each exchanges with the one whose number differs in the bits of a mask: by itself
/// or as half of a butterfly, whose other half is in the same round.
bool exchanges_with_all(const Pattern& pattern, Rank ranks) {
  const auto* p = std::get_if<XorPairs>(&pattern.pairs);
  const auto* tiled = std::get_if<TiledPairs>(&pattern.pairs);
  const bool all = (p != nullptr && p->count == ranks) ||
                   (tiled != nullptr && 2 * tiled->count == ranks && 2 * tiled->width == tiled->stride &&
                    std::max(tiled->source_first, tiled->target_first) == tiled->width &&
                    std::min(tiled->source_first, tiled->target_first) == 0 && is_power_of_two(tiled->width));
  const auto* linear = std::get_if<LinearNumbering>(&pattern.numbering);
  const auto* folded = std::get_if<FoldedNumbering>(&pattern.numbering);
  const bool as_they_are = (linear != nullptr && linear->ranks == ranks && linear->base == 0 && linear->offset == 0 &&
                            linear->stride == 1) ||
                           (folded != nullptr && folded->remainder == 0 && folded->stride == 1);
  return all && as_they_are && is_power_of_two(ranks);
}

/// Every half of a butterfly has the other in its round.
bool is_whole_butterfly(const Round& round) {
  Index upwards = 0;
  Index downwards = 0;
  for (const Pattern& pattern : round.patterns) {
    if (const auto* tiled = std::get_if<TiledPairs>(&pattern.pairs)) {
      (tiled->source_first < tiled->target_first ? upwards : downwards) += 1;
    }
  }
  return upwards == downwards;
}

}  // namespace

bool goes_round(const Pattern& pattern, Rank ranks) {
  const auto* linear = std::get_if<LinearNumbering>(&pattern.numbering);
  if (linear == nullptr || linear->ranks != ranks || linear->base != 0) {
    return false;
  }
  const auto unit = [](Index stride) { return stride == 1 || stride == -1; };
  if (const auto* p = std::get_if<AffinePairs>(&pattern.pairs)) {
    return unit(linear->stride) && p->modulus == ranks && p->count == ranks && p->source_stride == 1 &&
           p->target_stride == 1;
  }
  const auto* p = std::get_if<ShiftPairs>(&pattern.pairs);
  return p != nullptr && unit(linear->stride) && p->ranks == ranks;
}

bool all_ranks_alike(const Round& round, Index iteration, Rank ranks) {
  const bool by_masks = is_whole_butterfly(round);
  return std::all_of(round.patterns.begin(), round.patterns.end(), [&](const Pattern& pattern) {
    return pair_count(pattern, iteration) == 0 || goes_round(pattern, ranks) ||
           (by_masks && exchanges_with_all(pattern, ranks));
  });
}

bool all_nodes_alike(const Round& round, Index iteration, const NodeRanks& nodes) {
  if (nodes.is_single()) {
    return true;
  }
  const bool by_masks = is_power_of_two(nodes.mapping().kind() == Mapping::Kind::kBlock ? nodes.mapping().per_node()
                                                                                        : nodes.mapping().nodes()) &&
                        is_whole_butterfly(round);
  return nodes.is_full_and_regular() &&
         std::all_of(round.patterns.begin(), round.patterns.end(), [&](const Pattern& pattern) {
           return pair_count(pattern, iteration) == 0 || goes_round(pattern, nodes.ranks()) ||
                  (by_masks && exchanges_with_all(pattern, nodes.ranks()));
         });
}

}  // namespace postage
