#include "predict/hub_stages.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace postage {
namespace {

constexpr Index kHalf = 256;
/// Of so many leaves one may be unlike the others.
constexpr Index kOneOf = 64;

/// The rank that stays where one message an iteration joins it with a rank that moves on.
std::optional<Index> hub_of(const Pattern& pattern, bool is_target) {
  const auto* pairs = std::get_if<AffinePairs>(&pattern.pairs);
  if (pairs == nullptr || pairs->count != 1) {
    return std::nullopt;
  }
  const auto [stays, moves] =
      is_target ? std::pair(pairs->target_step, pairs->source_step) : std::pair(pairs->source_step, pairs->target_step);
  return stays == 0 && moves != 0
             ? std::optional(rank_of(pattern.numbering, is_target ? pairs->target_first : pairs->source_first))
             : std::nullopt;
}

/// The hub where leaves send first; of the messages of later rounds it is one end.
std::optional<Index> hub_of(const Stage& stage) {
  if (stage.rounds.empty() || stage.rounds.front().patterns.empty()) {
    return std::nullopt;
  }
  const auto hub = hub_of(stage.rounds.front().patterns.front(), true);
  for (std::size_t r = 0; hub && r < stage.rounds.size(); ++r) {
    for (const Pattern& pattern : stage.rounds[r].patterns) {
      if (hub_of(pattern, true) != hub && (r == 0 || hub_of(pattern, false) != hub)) {
        return std::nullopt;
      }
    }
  }
  return hub;
}

/// The pattern of the leaf's first message; null where the iteration has none.
const Pattern* active_in(const Round& first, Index iteration) {
  const auto active =
      std::ranges::find_if(first.patterns, [&](const Pattern& pattern) { return pair_count(pattern, iteration) > 0; });
  return active == first.patterns.end() ? nullptr : &*active;
}

bool has_leaves_throughout(const Stage& stage) {
  return std::ranges::all_of(std::views::iota(Index{0}, stage.iterations),
                             [&](Index t) { return active_in(stage.rounds.front(), t) != nullptr; });
}

Rank leaf_of(const Round& first, Index iteration) {
  const Pattern& active = *active_in(first, iteration);
  return static_cast<Rank>(rank_of(active.numbering, pair_at(active.pairs, 0, iteration).source));
}

/// The second half's leaves are of one kind, and so are nearly all after it.
bool settles(const Stage& stage, Rank hub, const ChannelMap& channels) {
  const auto kind = [&](Index iteration) {
    const Rank leaf = leaf_of(stage.rounds.front(), iteration);
    return std::pair(channels.channel_of(leaf, hub), channels.measured_rank(leaf));
  };
  const auto usual = kind(kHalf);
  Index unlike = 0;
  for (Index t = kHalf + 1; t < stage.iterations; ++t) {
    unlike += kind(t) == usual ? 0 : 1;
    if (unlike > 0 && (t < 2 * kHalf || unlike * kOneOf > stage.iterations)) {
      return false;
    }
  }
  return true;
}

bool is_played_from_its_start(const Stage& stage, const ChannelMap& channels) {
  if (stage.segments != 1 || stage.iterations <= 2 * kHalf) {
    return false;
  }
  const auto hub = hub_of(stage);
  return hub && has_leaves_throughout(stage) &&
         (channels.is_single() || settles(stage, static_cast<Rank>(*hub), channels));
}

/// The first iterations of a stage alone, without the ranks above those that take part.
Schedule start_of(Schedule schedule, Stage stage, Index iterations) {
  auto last = static_cast<Rank>(*hub_of(stage));
  for (Index t = 0; t < iterations; ++t) {
    last = std::max(last, leaf_of(stage.rounds.front(), t));
  }
  schedule.ranks = last + 1;
  stage.iterations = iterations;
  schedule.stages = {std::move(stage)};
  return schedule;
}

}  // namespace

std::optional<HubStages> HubStages::of(const Schedule& schedule, const ChannelMap& channels) {
  if (!schedule.layout.has_formula() || channels.network() != nullptr) {
    return std::nullopt;
  }
  Schedule without = schedule;
  without.stages.clear();
  HubStages found{{}, without};
  for (const Stage& stage : schedule.stages) {
    if (is_played_from_its_start(stage, channels)) {
      found.starts.push_back({start_of(without, stage, kHalf), start_of(without, stage, 2 * kHalf),
                              static_cast<double>(stage.iterations) / kHalf - 2});
    } else {
      found.others.stages.push_back(stage);
    }
  }
  return found.starts.empty() ? std::nullopt : std::optional(std::move(found));
}

double HubStages::seconds(const std::function<double(const Schedule&)>& played) const {
  double sum = 0;
  for (const Start& start : starts) {
    const double whole = played(start.whole);
    sum += whole + start.more * (whole - played(start.half));
  }
  return sum;
}

}  // namespace postage
