#include "predict/rounds/bursts.hpp"

#include "predict/rounds/representative_ranks.hpp"

#include <utility>

namespace postage {
namespace {

bool carries_data(const Pattern& pattern) {
  return !std::holds_alternative<Token>(pattern.blocks);
}

}  // namespace

Bursts::Bursts(const Schedule& schedule, const RoundPosition& position)
    : schedule_(schedule), position_(position), rounds_(schedule.stages[position.stage].rounds) {}

Bursts::Part Bursts::part_of(Rank rank, std::size_t round) const {
  Part part;
  for (const Pattern& pattern : rounds_[round].patterns) {
    const bool is_active = pair_count(pattern, position_.iteration) > 0;
    const auto v = is_active ? virtual_of(pattern.numbering, rank) : std::nullopt;
    if (!v) {
      continue;
    }
    part.receives = part.receives || pairs_to(pattern.pairs, *v, position_.iteration).count > 0;
    if (carries_data(pattern) && pairs_from(pattern.pairs, *v, position_.iteration).count > 0) {
      (pattern.protocol == Protocol::kAcknowledged ? part.waits : part.sends) = true;
    }
  }
  return part;
}

bool Bursts::continue_for(Rank source) const {
  for (std::size_t round = position_.round; round-- > 0;) {
    const Part part = part_of(source, round);
    if (part.receives || part.waits || part.sends) {
      return part.sends && !part.receives && !part.waits;
    }
  }
  return false;
}

void Bursts::for_each_later(Rank source, const std::function<void(const Transfer&)>& visit) const {
  Part before = part_of(source, position_.round);
  for (std::size_t round = position_.round + 1; round < rounds_.size(); ++round) {
    if (before.receives || before.waits) {
      return;
    }
    before = part_of(source, round);
    if (before.sends && !before.waits) {
      visit_sends(source, round, visit);
    }
  }
}

void Bursts::visit_sends(Rank rank, std::size_t round, const std::function<void(const Transfer&)>& visit) const {
  const RoundPosition position{position_.stage, position_.iteration, position_.segment, round};
  for (const Pattern& pattern : rounds_[round].patterns) {
    const bool is_active = carries_data(pattern) && pair_count(pattern, position.iteration) > 0;
    const auto v = is_active ? virtual_of(pattern.numbering, rank) : std::nullopt;
    const PairIndices own = v ? pairs_from(pattern.pairs, *v, position.iteration) : PairIndices{};
    for (Index k = 0; k < own.count; ++k) {
      visit(transfer_at(schedule_, position, pattern, own.at(k)));
    }
  }
}

std::vector<Rank> ranks_to_visit_for_bursts(const Schedule& schedule, const RoundPosition& position,
                                            const NodeRanks& nodes) {
  const std::vector<Round>& rounds = schedule.stages[position.stage].rounds;
  std::vector<Rank> ranks = ranks_to_visit(rounds[position.round], position.iteration, nodes);
  if (position.round > 0) {
    const std::vector<Rank> more = ranks_to_visit(rounds[position.round - 1], position.iteration, nodes);
    ranks.insert(ranks.end(), more.begin(), more.end());
    return node_by_node(std::move(ranks), nodes);
  }
  return ranks;
}

}  // namespace postage
