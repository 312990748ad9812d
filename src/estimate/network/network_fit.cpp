#include "estimate/network/network_fit.hpp"

#include "estimate/network/least.hpp"
#include "estimate/network/level_bandwidths.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace postage {
namespace {

/// Bandwidths are looked for between these shares of the fastest message's rate.
constexpr double kLeastShare = 1.0 / 1024;
constexpr double kMostShare = 32;
constexpr int kGridSteps = 30;
constexpr int kBisections = 13;
/// A group's own links are looked for within so many times their level's rate, and then around what was found.
constexpr double kFarRate = 8;
constexpr int kStepsOfFar = 12;
constexpr double kNearRate = 1.5;
constexpr int kStepsOfNear = 4;
/// The least bandwidth that explains the measurements may miss so much more of a time.
constexpr double kUnseen = 1e-4;
constexpr int kStepsOfHosts = 8;
/// Acknowledgements take no more of the opposite direction.
constexpr double kMostReverseShare = 0.2;
constexpr int kStepsOfReverseShare = 8;
/// What bandwidths count for in a message's share is looked for between these.
constexpr double kLeastShareBytes = 256;
constexpr double kMostShareBytes = 1 << 20;
/// A message among n takes at most so much of n times as long; among those that cross, of that.
constexpr double kMostPenalty = 1.6;
constexpr double kMostCrossing = 2;
constexpr int kStepsOfPenalty = 10;

/// Logarithms of bandwidths between which one is looked for, at first at so many steps.
struct SearchedRange {
  double low = 0;
  double high = 0;
  int steps = 0;
  bool finds_least = true;  ///< where none is better: the least that is as good as none
};

/// One parameter after the other, from those of another fit on.
class NetworkFit {
 public:
  NetworkFit(FittedNetwork start, const Searched& searched, const NetworkJudge& judge)
      : network_(std::move(start.network)), competing_(start.competing), searched_(searched), judge_(judge) {}

  FittedNetwork fit(int sweeps) {
    double misses = judge_.misses(network_, competing_);
    // Where messages scatter, fans alone say too much of hosts' links.
    const bool is_shared =
        network_.has_shared_links() || judge_.has_processors() || judge_.scatter() > 0 || searched_.penalties;
    const double exact = kExactTimes * kExactTimes * static_cast<double>(judge_.experiments());
    for (int sweep = 0; sweep < sweeps && is_shared && (sweep == 0 || misses > exact); ++sweep) {
      for (std::size_t i = 0; i < levels_with_backbone(network_); ++i) {
        find_bandwidth(i);
      }
      if (searched_.reverse_share) {
        find_reverse_share();
      }
      if (searched_.share_bytes) {
        find_share_bytes();
      }
      if (searched_.penalties) {
        find_penalty(&FlowPenalties::sending, kLeastPenalty, kMostPenalty);
        find_penalty(&FlowPenalties::receiving, kLeastPenalty, kMostPenalty);
        find_penalty(&FlowPenalties::crossing, 1, kMostCrossing);
      }
      find_more(&CompetingMessages::more_sent);
      misses = find_more(&CompetingMessages::more_received);
    }
    return fitted(misses, is_shared);
  }

  /// With the group's links of their own rate, the same up and down.
  FittedNetwork with_own_bandwidth(std::size_t index, bool is_near, bool finds_least) {
    HostGroup& group = network_.groups[index];
    const auto level = static_cast<std::size_t>(group.level);
    const bool is_known = group.up && std::isfinite(group.up->value);
    const double far = std::log(is_near ? kNearRate : kFarRate);
    const double middle = std::log(is_known ? group.up->value : network_.levels[level].bandwidth->value);
    const SearchedRange range{middle - far, middle + far, is_near ? kStepsOfNear : kStepsOfFar, finds_least};
    const double misses = find_bandwidth(level, range, {}, [&](const Bandwidth& bandwidth) {
      group.up = estimate_of(bandwidth).value_or(kUnlimited);
      group.down = group.up;
    });
    return fitted(misses, true);
  }

 private:
  [[nodiscard]] FittedNetwork fitted(double misses, bool is_shared) const {
    // Whether messages share by their latencies is a choice between two, not a parameter.
    const std::size_t parameters = bandwidths_in(network_) + (is_shared ? 2 : 0) +
                                   (competing_.share_bytes > 0 ? 1 : 0) +
                                   (competing_.reverse_share.value_or(0) > 0 ? 1 : 0) + (network_.rails > 1 ? 1 : 0) +
                                   (competing_.penalties.any() ? 3 : 0);
    return {network_, competing_, judge_.cost_of(misses, static_cast<double>(parameters))};
  }

  double find_bandwidth(std::size_t index) {
    const double fastest = std::log(judge_.fastest());
    const SearchedRange range{fastest + std::log(kLeastShare), fastest + std::log(kMostShare), kGridSteps};
    std::optional<Least> known;
    if (const auto before = bandwidth_of(network_, index); before && std::isfinite(before->upper)) {
      known = {std::log(before->value), judge_.misses(network_, competing_)};
    }
    return find_bandwidth(index, range, known,
                          [&](const Bandwidth& bandwidth) { set_bandwidth(network_, index, bandwidth); });
  }

  /// Of links of the level or of the backbone (see levels_with_backbone), as `set` sets it; what was found before is
  /// known.
  template <typename Set>
  double find_bandwidth(std::size_t index, const SearchedRange& range, const std::optional<Least>& known,
                        const Set& set) {
    const auto misses_at = [&](double logarithm, double bound) {
      set({std::exp(logarithm)});
      return judge_.misses(network_, competing_, bound);
    };
    set({});
    const double without = judge_.misses(network_, competing_);
    if (!(judge_.fastest() > 0)) {
      return without;  // messages that take no time share nothing
    }
    Least best = search(range.low, range.high, range.steps, misses_at,
                        known && known->value < without ? *known : Least{range.low, without});
    // A link carries at least what a message alone gets across it, whatever else slows concurrent ones down.
    const double alone = judge_.fastest_across(network_, index);
    if (alone > 0 && best.at < std::log(alone)) {
      best = {std::log(alone), misses_at(std::log(alone), without)};
    }
    if (judge_.cost_of(best.value, 1) < judge_.cost_of(without, 0)) {
      set({std::exp(best.at)});
      return best.value;
    }
    set(range.finds_least ? Bandwidth{std::exp(least_within(range, without, misses_at)), true} : Bandwidth{});
    return without;
  }

  /// The least bandwidth that explains the measurements as well as none.
  template <typename Misses>
  double least_within(const SearchedRange& range, double without, const Misses& misses_at) {
    double low = range.low;
    double high = range.high;
    const auto count = static_cast<double>(judge_.experiments());
    const double most = without + kUnseen * kUnseen * count;
    for (int i = 0; i < kBisections; ++i) {
      const double middle = (low + high) / 2;
      (misses_at(middle, most) <= most ? high : low) = middle;
    }
    return high;
  }

  void find_reverse_share() {
    const Least best = search(0, kMostReverseShare, kStepsOfReverseShare, [&](double share, double bound) {
      competing_.reverse_share = std::max(share, 0.0);
      return judge_.misses(network_, competing_, bound);
    });
    competing_.reverse_share = std::max(best.at, 0.0);
  }

  void find_share_bytes() {
    const Least best = search(std::log(kLeastShareBytes), std::log(kMostShareBytes), kStepsOfHosts,
                              [&](double logarithm, double bound) {
                                competing_.share_bytes = std::exp(logarithm);
                                return judge_.misses(network_, competing_, bound);
                              });
    competing_.share_bytes = std::exp(best.at);
  }

  void find_penalty(double FlowPenalties::*penalty, double least, double most) {
    const Least best = search(least, most, kStepsOfPenalty, [&](double value, double bound) {
      competing_.penalties.*penalty = std::clamp(value, least, most);
      return judge_.misses(network_, competing_, bound);
    });
    competing_.penalties.*penalty = std::clamp(best.at, least, most);
  }

  double find_more(double CompetingMessages::*more) {
    const double least = searched_.links_carry_one ? 0 : -std::log(kMostOfHosts);
    const Least known{std::log(competing_.*more), judge_.misses(network_, competing_)};
    const auto misses_at = [&](double logarithm, double bound) {
      competing_.*more = std::exp(std::max(logarithm, least));
      return judge_.misses(network_, competing_, bound);
    };
    const Least best = search(least, std::log(kMostOfHosts), kStepsOfHosts, misses_at, known);
    competing_.*more = std::exp(std::max(best.at, least));
    return best.value;
  }

  NetworkStructure network_;
  CompetingMessages competing_;
  Searched searched_;
  const NetworkJudge& judge_;
};

}  // namespace

namespace {

constexpr int kSweepsOfGroups = 4;
constexpr int kSweepsFar = 2;

/// Whether it is joined by links of its switch, and messages were seen to wait for those of its level.
bool is_limited(const NetworkStructure& network, const HostGroup& group) {
  const GroupLevel& level = network.levels[static_cast<std::size_t>(group.level)];
  return level.junction == GroupJunction::kSwitch && level.bandwidth && std::isfinite(level.bandwidth->upper);
}

/// Those whose own links may tell more, the first ones most.
std::vector<std::size_t> groups_by_gain(const FittedNetwork& fitted, const NetworkJudge& judge) {
  std::vector<std::pair<double, std::size_t>> costs;
  for (std::size_t group = 0; group < fitted.network.groups.size(); ++group) {
    if (is_limited(fitted.network, fitted.network.groups[group])) {
      costs.emplace_back(NetworkFit(fitted, {}, judge).with_own_bandwidth(group, false, false).cost, group);
    }
  }
  std::stable_sort(costs.begin(), costs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> groups;
  std::transform(costs.begin(), costs.end(), std::back_inserter(groups), [](const auto& one) { return one.second; });
  return groups;
}

/// With links of their own rate for groups, one after the other, wherever `is_taken` says so of the costs with and
/// without; those that were found twice are looked for nearby. Of two links that a message crosses, the one that never
/// limits it must not stand for the other: the least that it carries is looked for at the end.
template <typename IsTaken>
FittedNetwork with_own_bandwidths(FittedNetwork fitted, const NetworkJudge& judge, const IsTaken& is_taken) {
  const std::vector<std::size_t> groups = groups_by_gain(fitted, judge);
  bool is_changed = true;
  for (int sweep = 0; sweep < kSweepsOfGroups && is_changed; ++sweep) {
    is_changed = false;
    for (const std::size_t group : groups) {
      FittedNetwork other = NetworkFit(fitted, {}, judge).with_own_bandwidth(group, sweep >= kSweepsFar, false);
      if (is_taken(other.cost, fitted.cost)) {
        is_changed = is_changed || other.cost < fitted.cost - kTie;
        fitted = std::move(other);
      }
    }
  }
  for (const std::size_t group : groups) {
    if (const auto& up = fitted.network.groups[group].up; up && std::isinf(up->value)) {
      fitted = NetworkFit(fitted, {}, judge).with_own_bandwidth(group, false, true);
    }
  }
  return fitted;
}

/// On which no message waits for links of switches, and hosts' own links, which were taken for slower where these are,
/// carry what the model says.
FittedNetwork with_free_groups(FittedNetwork fitted) {
  fitted.competing = with_corrected_limits(fitted.competing);
  for (HostGroup& group : fitted.network.groups) {
    if (is_limited(fitted.network, group)) {
      group.up = kUnlimited;
      group.down = kUnlimited;
    }
  }
  return fitted;
}

}  // namespace

FittedNetwork fit_groups(const FittedNetwork& fitted, const NetworkJudge& judge) {
  FittedNetwork few =
      with_own_bandwidths(fitted, judge, [](double with, double without) { return with < without - kStrongEvidence; });
  // Where most differ, the level's rate is none of theirs, and no group alone gains by its own: a message waits for the
  // slower one of two. From links on which none waits, those that it waits for are found.
  FittedNetwork all = with_own_bandwidths(with_free_groups(fitted), judge, [](double, double) { return true; });
  return all.cost < few.cost - kStrongEvidence ? all : few;
}

FittedNetwork fit_from(FittedNetwork start, const Searched& searched, const NetworkJudge& judge, int sweeps) {
  return NetworkFit(std::move(start), searched, judge).fit(sweeps);
}

}  // namespace postage
