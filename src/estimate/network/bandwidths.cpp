#include "estimate/network/bandwidths.hpp"

#include "estimate/network/least.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace postage {

std::size_t bandwidths_in(const NetworkStructure& network) {
  const auto is_known = [](const std::optional<Estimate>& rate) { return rate && std::isfinite(rate->upper); };
  if (network.torus) {
    return is_known(network.torus->bandwidths.front()) ? 1 : 0;
  }
  return static_cast<std::size_t>(std::count_if(network.levels.begin(), network.levels.end(),
                                                [&](const GroupLevel& level) { return is_known(level.bandwidth); }));
}

namespace {

/// Bandwidths are looked for between these shares of the fastest message's rate.
constexpr double kLeastShare = 1.0 / 32;
constexpr double kMostShare = 32;
constexpr int kGridSteps = 20;
constexpr int kHalvings = 12;
constexpr int kSweeps = 3;
/// Times that are missed by less, as a share, need no further search.
constexpr double kExact = 1e-3;
/// The least bandwidth that explains the measurements may miss so much more of a time.
constexpr double kUnseen = 1e-4;
/// What hosts' links carry is looked for up to so many times more, or less.
constexpr double kMostMore = 4;
constexpr int kStepsOfMore = 8;
/// Acknowledgements take no more of the opposite direction.
constexpr double kMostReverseShare = 0.2;
constexpr int kStepsOfReverseShare = 8;
/// What bandwidths count for in a message's share: about the window of a connection.
constexpr double kUsualShareBytes = 16 << 10;
constexpr double kLeastShareBytes = 256;
constexpr double kMostShareBytes = 1 << 20;
/// A message among n takes at least, and at most, so much of n times as long; among those that cross, of that.
constexpr double kLeastPenalty = 0.6;
constexpr double kMostPenalty = 1.6;
constexpr double kMostCrossing = 2;
/// Penalties that are this near to 1 are what sharing does; where messages vary by themselves, by as much more.
constexpr double kLikeSharing = 0.02;
/// Sharing that explains measurements so well is not given up for penalties that are hardly any.
constexpr double kWell = 0.05;
/// Those of a card of InfiniBand (see FlowPenalties), from which others are looked for.
constexpr FlowPenalties kUsualPenalties{.sending = 0.925, .receiving = 0.965, .crossing = 1.35};
constexpr int kStepsOfPenalty = 10;
constexpr int kSweepsOfPenalties = 3;
constexpr int kSweepsOfShares = 2;

/// B/s, none where it does not limit; where only its least is known, `is_least`.
struct Bandwidth {
  std::optional<double> rate{};
  bool is_least = false;
};

std::size_t parameters_of(const NetworkStructure& network) {
  return network.torus ? 1 : network.levels.size();
}

void set_bandwidth(NetworkStructure& network, std::size_t index, const Bandwidth& bandwidth) {
  std::optional<Estimate> rate;
  if (bandwidth.rate) {
    const double most = bandwidth.is_least ? std::numeric_limits<double>::infinity() : *bandwidth.rate;
    rate = Estimate{*bandwidth.rate, *bandwidth.rate, most};
  }
  if (network.torus) {
    std::fill(network.torus->bandwidths.begin(), network.torus->bandwidths.end(), rate);
  } else {
    network.levels[index].bandwidth = rate;
  }
}

/// What is looked for beside bandwidths.
struct Searched {
  bool reverse_share = false;
  bool share_bytes = false;
  bool penalties = false;
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
    const double exact = kExact * kExact * static_cast<double>(judge_.experiments());
    for (int sweep = 0; sweep < sweeps && is_shared && (sweep == 0 || misses > exact); ++sweep) {
      for (std::size_t i = 0; i < parameters_of(network_); ++i) {
        misses = find_bandwidth(i);
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
    const std::size_t parameters = bandwidths_in(network_) + (is_shared ? 2 : 0) +
                                   (competing_.share_exponent > 0 ? 1 : 0) + (competing_.share_bytes > 0 ? 1 : 0) +
                                   (competing_.reverse_share ? 1 : 0) + (network_.rails > 1 ? 1 : 0) +
                                   (competing_.penalties.any() ? 3 : 0);
    return {network_, competing_, judge_.cost_of(misses, static_cast<double>(parameters))};
  }

 private:
  double find_bandwidth(std::size_t index) {
    set_bandwidth(network_, index, {});
    const double without = judge_.misses(network_, competing_);
    const double low = std::log(judge_.fastest() * kLeastShare);
    const double high = std::log(judge_.fastest() * kMostShare);
    const Least best = search(low, high, kGridSteps, [&](double logarithm) { return misses_at(index, logarithm); });
    if (judge_.cost_of(best.value, 1) < judge_.cost_of(without, 0)) {
      set_bandwidth(network_, index, {std::exp(best.at)});
      return best.value;
    }
    set_bandwidth(network_, index, {std::exp(least_within(low, high, index, without)), true});
    return without;
  }

  double misses_at(std::size_t index, double logarithm) {
    set_bandwidth(network_, index, {std::exp(logarithm)});
    return judge_.misses(network_, competing_);
  }

  /// The least bandwidth that explains the measurements as well as none.
  double least_within(double low, double high, std::size_t index, double without) {
    const auto count = static_cast<double>(judge_.experiments());
    const double most = without + kUnseen * kUnseen * count;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (misses_at(index, middle) <= most ? high : low) = middle;
    }
    return high;
  }

  void find_reverse_share() {
    const Least best = search(0, kMostReverseShare, kStepsOfReverseShare, [&](double share) {
      competing_.reverse_share = std::max(share, 0.0);
      return judge_.misses(network_, competing_);
    });
    competing_.reverse_share = std::max(best.at, 0.0);
  }

  void find_share_bytes() {
    const Least best =
        search(std::log(kLeastShareBytes), std::log(kMostShareBytes), kStepsOfMore, [&](double logarithm) {
          competing_.share_bytes = std::exp(logarithm);
          return judge_.misses(network_, competing_);
        });
    competing_.share_bytes = std::exp(best.at);
  }

  void find_penalty(double FlowPenalties::*penalty, double least, double most) {
    const Least best = search(least, most, kStepsOfPenalty, [&](double value) {
      competing_.penalties.*penalty = std::clamp(value, least, most);
      return judge_.misses(network_, competing_);
    });
    competing_.penalties.*penalty = std::clamp(best.at, least, most);
  }

  double find_more(double CompetingMessages::*more) {
    const double before = judge_.misses(network_, competing_);
    const double start = competing_.*more;
    const Least best = search(-std::log(kMostMore), std::log(kMostMore), kStepsOfMore, [&](double logarithm) {
      competing_.*more = std::exp(logarithm);
      return judge_.misses(network_, competing_);
    });
    competing_.*more = best.value < before ? std::exp(best.at) : start;
    return std::min(best.value, before);
  }

  NetworkStructure network_;
  CompetingMessages competing_;
  Searched searched_;
  const NetworkJudge& judge_;
};

/// True where times are missed by no more than this in the root of the mean square.
[[nodiscard]] bool is_within(double miss, const FittedNetwork& fitted, const NetworkJudge& judge) {
  return judge.misses(fitted.network, fitted.competing) <= miss * miss * static_cast<double>(judge.experiments());
}

void take_if_better(FittedNetwork& best, FittedNetwork other) {
  if (other.cost < best.cost) {
    best = std::move(other);
  }
}

/// Messages compete as equals, by their latencies, or by latencies and bandwidths; and what acknowledgements take is as
/// measured between two hosts, or else: which tells how they compete, and the other way round.
FittedNetwork fit_as_it_is(const NetworkStructure& network, const NetworkJudge& judge) {
  FittedNetwork best = NetworkFit({network}, {}, judge).fit(kSweeps);
  if (is_within(kExact, best, judge)) {
    return best;
  }
  const auto try_else = [&](const NetworkStructure& start, const CompetingMessages& competing, const Searched& searched,
                            int sweeps) {
    take_if_better(best, NetworkFit({start, competing}, searched, judge).fit(sweeps));
  };
  try_else(network, {.share_exponent = 1}, {}, kSweeps);
  try_else(best.network, best.competing, {.reverse_share = true}, 1);
  if (best.competing.reverse_share && best.competing.share_exponent == 0) {
    try_else(network, {.share_exponent = 1, .reverse_share = best.competing.reverse_share}, {}, kSweeps);
  }
  CompetingMessages by_bandwidths = best.competing;
  by_bandwidths.share_exponent = 1;
  by_bandwidths.share_bytes = kUsualShareBytes;
  try_else(best.network, by_bandwidths, {.share_bytes = true}, kSweepsOfShares);
  if (!best.competing.reverse_share) {
    try_else(best.network, best.competing, {.reverse_share = true}, 1);
  }
  return best;
}

/// The same with penalties of messages that share a host, as InfiniBand has them.
FittedNetwork fit_with_penalties(const FittedNetwork& as_it_is, const NetworkJudge& judge) {
  CompetingMessages competing = as_it_is.competing;
  competing.reverse_share.reset();
  competing.penalties = kUsualPenalties;
  competing.more_sent = kMostMore;  // fans took what penalties do for what links carry
  competing.more_received = kMostMore;
  return NetworkFit({as_it_is.network, competing}, {.penalties = true}, judge).fit(kSweepsOfPenalties);
}

/// False where messages that share a host would slow one another down by as little as can be, or just as sharing does,
/// and sharing explains what they take nearly as well.
bool is_plausible(const FittedNetwork& penalised, const FittedNetwork& as_it_is, const NetworkJudge& judge) {
  const FlowPenalties& penalties = penalised.competing.penalties;
  const double near = kLikeSharing + judge.scatter();
  const auto is_sharing = [&](double penalty) { return std::abs(penalty - 1) < near; };
  const bool is_inside = penalties.sending > kLeastPenalty && penalties.receiving > kLeastPenalty;
  const bool is_more =
      !is_sharing(penalties.sending) || !is_sharing(penalties.receiving) || !is_sharing(penalties.crossing);
  return (is_inside && is_more) || !is_within(kWell, as_it_is, judge);
}

std::size_t largest_group(const NetworkStructure& network, std::size_t level) {
  std::size_t most = 1;
  for (const HostGroup& group : network.groups) {
    most = group.level == static_cast<int>(level) ? std::max(most, group.hosts.size()) : most;
  }
  return most;
}

/// With several links side by side wherever that is better.
FittedNetwork fit_ways(FittedNetwork best, const NetworkJudge& judge) {
  for (std::size_t level = 0; level < best.network.levels.size(); ++level) {
    if (best.network.levels[level].junction != GroupJunction::kSwitch ||
        !std::isfinite(best.network.levels[level].bandwidth->upper)) {
      continue;
    }
    constexpr int kMostWays = 4;
    const int most = std::min(kMostWays, static_cast<int>(largest_group(best.network, level)));
    for (int ways = 2; ways <= most; ++ways) {
      NetworkStructure other = best.network;
      other.levels[level].ways = ways;
      take_if_better(best, NetworkFit({other, best.competing}, {}, judge).fit(kSweeps));
    }
  }
  return best;
}

}  // namespace

FittedNetwork fit_bandwidths(const NetworkStructure& network, const NetworkJudge& judge, bool with_penalties) {
  const FittedNetwork as_it_is = fit_as_it_is(network, judge);
  FittedNetwork best = fit_ways(as_it_is, judge);
  if (!with_penalties || is_within(kExact, best, judge)) {
    return best;
  }
  // What links side by side do to some messages, penalties can take for theirs: so each is tried without the other,
  // too.
  if (FittedNetwork penalised = fit_with_penalties(as_it_is, judge);
      is_plausible(penalised, as_it_is, judge) && penalised.cost < as_it_is.cost) {
    take_if_better(best, fit_ways(std::move(penalised), judge));
  }
  return best;
}

}  // namespace postage
