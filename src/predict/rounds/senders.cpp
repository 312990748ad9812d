#include "predict/rounds/node_load.hpp"

#include <algorithm>

namespace postage {
namespace {

/// True where a rank sends to another than itself.
bool sends_in(const Pattern& pattern, Rank rank, Index iteration) {
  const auto v = virtual_in(pattern, rank, iteration);
  if (!v) {
    return false;
  }
  bool sends = false;
  with_formula(pattern, [&](const auto& pairs) {
    const PairIndices own = formula::sources_of(pairs, *v, iteration);
    sends = own.count > 1 || (own.count == 1 && formula::target_of(pairs, *v, own, 0, iteration) != *v);
  });
  return sends;
}

/// The same in the first of the stage's iterations in which the rank sends.
bool sends_in(const Stage& stage, const Pattern& pattern, Rank rank) {
  const auto v = virtual_of(pattern.numbering, rank);
  const IndexRange own =
      v ? iterations_from(pattern.pairs, *v, std::min(stage.iterations, pattern.active.end)) : IndexRange{};
  return own.count > 0 && sends_in(pattern, rank, own.first);
}

}  // namespace

bool RoundLoads::sends(Rank rank) const {
  const std::vector<Pattern>& patterns = schedule_.stages[position_.stage].rounds[position_.round].patterns;
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const Pattern& pattern) { return sends_in(pattern, rank, position_.iteration); });
}

bool StageLoads::sends(Rank rank) const {
  return std::any_of(of_stage_.rounds.begin(), of_stage_.rounds.end(), [&](const Round& round) {
    return std::any_of(round.patterns.begin(), round.patterns.end(),
                       [&](const Pattern& pattern) { return sends_in(of_stage_, pattern, rank); });
  });
}

}  // namespace postage
