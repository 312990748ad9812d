#include <postage/base/error.hpp>
#include <postage/optimize/mapping/advice.hpp>
#include <postage/predict/traces/play_trace.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace postage {
namespace {

std::vector<Rank> block_slots(const Mapping& slots) {
  std::vector<Rank> all(static_cast<std::size_t>(slots.capacity()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<Rank> cyclic_slots(const Mapping& slots) {
  const Mapping cyclic = Mapping::cyclic(slots.nodes(), slots.per_node());
  std::vector<Rank> all;
  for (Rank rank = 0; rank < slots.capacity(); ++rank) {
    const RankPlacement placement = cyclic.placement_of(rank);
    all.push_back(placement.node * slots.per_node() + placement.core);
  }
  return all;
}

/// Seconds of one placement by one model.
class ExactTime {
 public:
  ExactTime(const MappingTask& task, const Platform& platform, const Mapping& slots)
      : task_(task), platform_(platform), slots_(slots), block_(platform, slots) {
    for (const Schedule& schedule : task.schedules) {
      follows_ = follows_ && traffic_of(schedule).messages <= kMostFollowedMessages;
    }
    std::int64_t messages = 0;
    for (const MessagePhase& phase : task.communication.phases) {
      messages += static_cast<std::int64_t>(phase.messages.size());
    }
    follows_ = follows_ && messages <= kMostFollowedMessages;
  }

  [[nodiscard]] Seconds seconds(const std::vector<Rank>& slot_of_rank, const Model& model) const {
    const Rank ranks = task_.communication.ranks;
    const ChannelMap channels(platform_, Mapping::explicit_placements(placements_of(slot_of_rank, slots_, ranks)));
    if (task_.trace) {
      return play_trace(*task_.trace, channels, model).seconds();
    }
    if (follows_ && !task_.schedules.empty()) {
      Seconds sum = 0;
      for (const Schedule& schedule : task_.schedules) {
        sum += evaluate(schedule, channels, model);
      }
      return sum;
    }
    const Flow* flow = model.target<Flow>();
    return follows_ && flow != nullptr ? flow_seconds_of(channels, *flow) : rounds_seconds(slot_of_rank, model);
  }

 private:
  [[nodiscard]] Seconds flow_seconds_of(const ChannelMap& channels, const Flow& flow) const {
    Seconds sum = 0;
    for (const MessagePhase& phase : task_.communication.phases) {
      sum += phase.times * play_messages(phase.messages, task_.communication.ranks, channels, flow).seconds();
    }
    return sum;
  }

  [[nodiscard]] Seconds rounds_seconds(const std::vector<Rank>& slot_of_rank, const Model& model) const {
    PlacementCost cost(task_.communication.phases, block_, model);
    cost.place(slot_of_rank);
    return cost.seconds();
  }

  const MappingTask& task_;
  const Platform& platform_;
  const Mapping& slots_;
  ChannelMap block_;
  bool follows_ = true;
};

PlacementCandidate candidate_of(std::string name, std::vector<Rank> slot_of_rank, const ExactTime& time,
                                const PlatformModel& model) {
  PlacementCandidate candidate{std::move(name), std::move(slot_of_rank)};
  candidate.seconds = time.seconds(candidate.slot_of_rank, model.model());
  candidate.lower = 0;
  candidate.upper = std::numeric_limits<Seconds>::infinity();
  if (model.is_exact()) {
    candidate.lower = candidate.upper = candidate.seconds;
  } else if (model.has_bounds()) {
    candidate.lower = std::min(candidate.seconds, time.seconds(candidate.slot_of_rank, model.at(Bound::kLower)));
    candidate.upper = std::max(candidate.seconds, time.seconds(candidate.slot_of_rank, model.at(Bound::kUpper)));
  }
  return candidate;
}

/// The same ranks on each node, the lower ones on the lower slots, as launchers that do not name cores place them.
std::vector<Rank> ordered_within_nodes(const std::vector<Rank>& slot_of_rank, const Mapping& slots) {
  std::vector<std::vector<Rank>> own(static_cast<std::size_t>(slots.nodes()));
  const auto node_of = [&](Rank slot) { return static_cast<std::size_t>(slots.placement_of(slot).node); };
  for (const Rank slot : slot_of_rank) {
    own[node_of(slot)].push_back(slot);
  }
  for (std::vector<Rank>& of_node : own) {
    std::ranges::sort(of_node, std::greater<>());
  }
  std::vector<Rank> ordered;
  for (const Rank slot : slot_of_rank) {
    std::vector<Rank>& of_node = own[node_of(slot)];
    ordered.push_back(of_node.back());
    of_node.pop_back();
  }
  return ordered;
}

/// What the search found; in the order of the slots where that takes no longer.
std::vector<Rank> found_placement(PlacementCost& cost, const Mapping& slots) {
  constexpr double kRounding = 1 + 1e-9;
  const std::vector<Rank> found = cost.slot_of_rank();
  const Seconds seconds = cost.seconds();
  const std::vector<Rank> ordered = ordered_within_nodes(found, slots);
  cost.place(ordered);
  return cost.seconds() <= seconds * kRounding ? ordered : found;
}

/// Of some placements the one that PlacementCost finds the fastest.
const std::vector<Rank>& best_start(const std::vector<std::pair<std::string, std::vector<Rank>>>& starts,
                                    PlacementCost& cost) {
  const std::vector<Rank>* best = nullptr;
  Seconds least = std::numeric_limits<Seconds>::infinity();
  for (const auto& [name, slot_of_rank] : starts) {
    cost.place(slot_of_rank);
    if (best == nullptr || cost.seconds() < least) {
      best = &slot_of_rank;
      least = cost.seconds();
    }
  }
  return *best;
}

}  // namespace

std::vector<RankPlacement> placements_of(const std::vector<Rank>& slot_of_rank, const Mapping& slots, Rank ranks) {
  std::vector<RankPlacement> placements;
  for (Rank rank = 0; rank < ranks; ++rank) {
    placements.push_back(slots.placement_of(slot_of_rank[static_cast<std::size_t>(rank)]));
  }
  return placements;
}

void check_placements(const std::vector<RankPlacement>& placements, Rank ranks) {
  if (static_cast<std::int64_t>(placements.size()) != ranks) {
    throw UsageError(fmt::format("the mapping places {} ranks, but there are {}", placements.size(), ranks));
  }
  std::map<std::pair<int, int>, std::size_t> taken;
  for (std::size_t rank = 0; rank < placements.size(); ++rank) {
    const auto& [node, core] = placements[rank];
    const auto [found, is_free] = taken.try_emplace({node, core}, rank);
    if (!is_free) {
      throw UsageError(
          fmt::format("the mapping gives slot {} of node {} to ranks {} and {}", core, node, found->second, rank));
    }
  }
}

MappingAdvice advise_mapping(const MappingTask& task, const Platform& platform, const Mapping& slots,
                             const PlatformModel& model) {
  if (task.communication.ranks > slots.capacity()) {
    throw UsageError(fmt::format("{} has {} ranks, but {} nodes with {} each have slots for {}",
                                 task.communication.name, task.communication.ranks, slots.nodes(), slots.per_node(),
                                 slots.capacity()));
  }
  const ChannelMap channels(platform, slots);
  std::vector<std::pair<std::string, std::vector<Rank>>> placements{{"block", block_slots(slots)},
                                                                    {"cyclic", cyclic_slots(slots)}};
  if (!task.today.empty()) {
    placements.emplace_back("today", task.today);
  }
  MappingAdvice advice;
  if (!task.communication.is_uniform) {
    if (!task.communication.grid.empty() && task.communication.ranks == slots.capacity()) {
      placements.emplace_back("tiles", tile_placement(task.communication.grid, platform, slots));
    }
    const auto edges = edges_of(task.communication, channels, model.model());
    placements.emplace_back("scotch", scotch_placement(edges, platform, slots));
    PlacementCost cost(task.communication.phases, channels, model.model());
    const std::vector<Rank> scotch = placements.back().second;
    const std::vector<Rank> best = best_start(placements, cost);
    const SearchLimits half{
        .swaps = task.limits.swaps / 2, .charges = task.limits.charges / 2, .seed = task.limits.seed};
    std::vector<std::pair<std::string, std::vector<Rank>>> found;
    for (const std::vector<Rank>& start : {scotch, best}) {
      if (found.empty() || start != scotch) {
        cost.place(start);
        advice.swaps += search_placement(cost, task.communication, slots, half);
        found.emplace_back("search", found_placement(cost, slots));
      }
    }
    placements.emplace_back("search", best_start(found, cost));
  }
  const ExactTime time(task, platform, slots);
  for (auto& [name, slot_of_rank] : placements) {
    check_placements(placements_of(slot_of_rank, slots, static_cast<Rank>(slots.capacity())),
                     static_cast<Rank>(slots.capacity()));
    advice.candidates.push_back(candidate_of(name, std::move(slot_of_rank), time, model));
    if (advice.candidates.back().seconds < advice.candidates[advice.best].seconds) {
      advice.best = advice.candidates.size() - 1;
    }
  }
  return advice;
}

}  // namespace postage
