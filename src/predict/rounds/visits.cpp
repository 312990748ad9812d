#include "predict/rounds/visits.hpp"

#include "predict/round_symmetry.hpp"
#include "predict/rounds/bursts.hpp"
#include "predict/rounds/representative_ranks.hpp"
#include "predict/rounds/ungrouped.hpp"

#include <algorithm>
#include <numeric>

namespace postage {
namespace {

/// Of so many ranks one may be measured, or a measured one's partner in a round, for kinds to be worth looking for.
constexpr std::size_t kSpecialOneOf = 8;

bool pays(std::size_t special, Rank ranks) {
  return special * kSpecialOneOf <= static_cast<std::size_t>(ranks);
}

/// How many of each kind are looked at, so that one of them is neither among `special` ranks nor a partner of theirs:
/// a rank is in two pairs of a pattern at most.
Index enough_of_each_kind(std::size_t special) {
  return 2 * static_cast<Index>(special) + 1;
}

/// Kinds of pairs are known but for tables, reflections and groups.
bool is_regular(const Pattern& pattern) {
  return !std::holds_alternative<ExplicitPairs>(pattern.pairs) &&
         !std::holds_alternative<ReflectedPairs>(pattern.pairs) &&
         !std::holds_alternative<GroupedPairs>(pattern.pairs) &&
         !std::holds_alternative<ExplicitNumbering>(pattern.numbering) &&
         !std::holds_alternative<GroupedNumbering>(pattern.numbering);
}

bool is_still(const Pattern& pattern) {
  return step_of(plain_of(pattern).pairs) == 0 && pattern.active == IterationWindow{};
}

}  // namespace

Coverage coverage_of(const Schedule& schedule, const ChannelMap& channels, const Model& model, const NodeRanks& nodes,
                     const MeasuredRanks& measured) {
  if (!schedule.layout.has_formula()) {
    return Coverage::kAll;
  }
  if (!depends_on_ranks(model)) {
    return Coverage::kKinds;
  }
  const bool regular = !nodes.is_single() && !nodes.is_explicit() && channels.has_one_network() &&
                       (nodes.mapping().per_node() == 1 || channels.nodes_are_alike());
  return regular && !model.properties().gets_data && pays(measured.ranks().size(), schedule.ranks)
             ? Coverage::kMeasuredAndKinds
             : Coverage::kAll;
}

Visits::Visits(const Schedule& schedule, const Model& model, const NodeRanks& nodes, const MeasuredRanks& measured,
               Coverage coverage)
    : schedule_(schedule),
      nodes_(nodes),
      measured_(measured),
      coverage_(coverage),
      gets_(model.properties().gets_data),
      contention_(feels_contention(model)) {
  if (coverage_ != Coverage::kKinds) {
    everyone_.resize(static_cast<std::size_t>(schedule.ranks));
    std::iota(everyone_.begin(), everyone_.end(), 0);
  }
}

std::vector<IterationClass> Visits::iterations(const Stage& stage) const {
  if (coverage_ == Coverage::kKinds) {
    return iteration_classes(stage, nodes_);
  }
  std::vector<IterationClass> all;
  for (Index t = 0; t < stage.iterations; ++t) {
    all.push_back({t, 1});
  }
  return all;
}

std::vector<Rank> Visits::kinds(const RoundPosition& position) const {
  return gets_ ? ranks_to_visit_for_bursts(schedule_, position, nodes_)
               : ranks_to_visit(round_at(position), position.iteration, nodes_);
}

std::span<const Rank> Visits::ranks(const RoundPosition& position, bool nodes_alike) {
  if (coverage_ == Coverage::kKinds) {
    visited_ = kinds(position);
    return visited_;
  }
  auto some = coverage_ == Coverage::kAll ? std::nullopt : beside_measured(position, nodes_alike);
  if (!some) {
    return everyone_;
  }
  visited_ = std::move(*some);
  return visited_;
}

bool Visits::has_kinds(const RoundPosition& position) const {
  const std::vector<Pattern>& patterns = round_at(position).patterns;
  return std::all_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
    return pair_count(pattern, position.iteration) == 0 ||
           (is_regular(pattern) && common_bytes(schedule_, position, pattern));
  });
}

std::optional<std::vector<Rank>> Visits::beside_measured(const RoundPosition& position, bool nodes_alike) const {
  const Round& round = round_at(position);
  if (!has_kinds(position) || (contention_ && !nodes_.is_full_and_regular())) {
    return std::nullopt;
  }
  auto ranks = measured_.with_partners(round, position.iteration, everyone_.size() / kSpecialOneOf);
  if (!ranks) {
    return std::nullopt;
  }
  const std::vector<Rank> more =
      nodes_alike ? one_of_each_slot(nodes_, *ranks)
                  : ranks_to_visit(round, position.iteration, nodes_, enough_of_each_kind(ranks->size()));
  if (ranks->size() + more.size() >= everyone_.size()) {
    return std::nullopt;
  }
  ranks->insert(ranks->end(), more.begin(), more.end());
  sort_once(*ranks);
  return ranks;
}

std::optional<std::vector<Rank>> Visits::measured_in(std::size_t s) const {
  const Stage& stage = schedule_.stages[s];
  std::vector<Rank> special;
  for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
    const auto own = has_kinds({s, 0, 0, r})
                         ? measured_.with_partners(stage.rounds[r], 0, everyone_.size() / kSpecialOneOf)
                         : std::nullopt;
    if (!own) {
      return std::nullopt;
    }
    special.insert(special.end(), own->begin(), own->end());
  }
  sort_once(special);
  return special;
}

std::optional<std::vector<Rank>> Visits::beside_measured_in(std::size_t s) const {
  const std::vector<Round>& rounds = schedule_.stages[s].rounds;
  const bool once = schedule_.stages[s].iterations == 1 && (!contention_ || nodes_.is_full_and_regular());
  const bool alike = std::all_of(rounds.begin(), rounds.end(), [&](const Round& round) {
    return std::all_of(round.patterns.begin(), round.patterns.end(), is_still) && all_nodes_alike(round, 0, nodes_);
  });
  auto ranks = once || (alike && has_kinds_throughout(s)) ? measured_in(s) : std::nullopt;
  if (!ranks) {
    return std::nullopt;
  }
  std::vector<Rank> more;
  if (alike) {
    more = one_of_each_slot(nodes_, *ranks);
  } else {
    for (const Round& round : rounds) {
      const std::vector<Rank> own = ranks_to_visit(round, 0, nodes_, enough_of_each_kind(ranks->size()));
      more.insert(more.end(), own.begin(), own.end());
    }
  }
  ranks->insert(ranks->end(), more.begin(), more.end());
  return node_by_node(std::move(*ranks), nodes_);
}

bool Visits::has_kinds_throughout(std::size_t s) const {
  const Stage& stage = schedule_.stages[s];
  for (Index t = 0; t < stage.iterations; ++t) {
    for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
      if (!has_kinds({s, t, 0, r})) {
        return false;
      }
    }
  }
  return true;
}

std::span<const Rank> Visits::ranks_of_stage(std::size_t s, const std::vector<IterationClass>& classes) {
  auto some = coverage_ == Coverage::kMeasuredAndKinds ? beside_measured_in(s) : std::nullopt;
  if (coverage_ != Coverage::kKinds) {
    visited_ = some ? std::move(*some) : node_by_node(everyone_, nodes_);
    return visited_;
  }
  std::vector<Rank> ranks;
  for (const IterationClass& alike : classes) {
    for (std::size_t r = 0; r < schedule_.stages[s].rounds.size(); ++r) {
      const std::vector<Rank> more = kinds({s, alike.representative, 0, r});
      ranks.insert(ranks.end(), more.begin(), more.end());
    }
  }
  visited_ = node_by_node(std::move(ranks), nodes_);
  return visited_;
}

}  // namespace postage
