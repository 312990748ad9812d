#include "estimate/network/bandwidths.hpp"

#include "estimate/network/network_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace postage {

std::size_t bandwidths_in(const NetworkStructure& network) {
  const auto count = [](std::size_t sum, const std::optional<Estimate>& rate) {
    return sum + (rate && std::isfinite(rate->upper) ? 1 : 0);
  };
  if (network.torus) {
    return count(0, network.torus->bandwidths.front());
  }
  std::size_t sum = count(0, network.backbone);
  for (const GroupLevel& level : network.levels) {
    sum = count(sum, level.bandwidth);
  }
  for (const HostGroup& group : network.groups) {
    sum = count(sum, group.up);
  }
  return sum;
}

namespace {

constexpr int kSweepsOfSharing = 3;
/// Where messages take so much of what those of the opposite direction can have, links carry both together.
constexpr double kHalfDuplex = 0.75;
/// Links side by side; fewer where noise, or what penalties do, could choose among many.
constexpr int kMostWays = 8;
constexpr int kFewWays = 4;
constexpr int kSweepsOfPenalties = 3;
constexpr int kSweepsOfShares = 2;
/// What bandwidths count for in a message's share: about the window of a connection.
constexpr double kUsualShareBytes = 16 << 10;
/// Penalties that are this near to 1 are what sharing does; where messages vary by themselves, by as much more.
constexpr double kLikeSharing = 0.02;
/// Sharing that explains measurements so well is not given up for penalties that are hardly any, or that no card has:
/// n messages that leave one together took less than this share of n times as long as one.
constexpr double kWell = 0.05;
constexpr double kLeastSending = 0.85;
/// Those of a card of InfiniBand (see FlowPenalties), from which others are looked for.
constexpr FlowPenalties kUsualPenalties{.sending = 0.925, .receiving = 0.965, .crossing = 1.35};

/// True where times are missed by no more than this in the root of the mean square.
[[nodiscard]] bool is_within(double miss, const FittedNetwork& fitted, const NetworkJudge& judge) {
  return judge.misses(fitted.network, fitted.competing) <= miss * miss * static_cast<double>(judge.experiments());
}

void take_if_better(FittedNetwork& best, FittedNetwork other) {
  if (other.cost < best.cost - kTie) {
    best = std::move(other);
  }
}

/// Messages compete as equals, by their latencies, or by latencies and bandwidths; and what acknowledgements take is as
/// measured between two hosts, or else: which tells how they compete, and the other way round. Or it is nothing, where
/// times scatter: two hosts' may do so by as much, and however little it is, it slows messages down on links that are
/// full the other way, where rates are shared fairly.
FittedNetwork fit_as_it_is(const NetworkStructure& network, FittedNetwork best, const NetworkJudge& judge) {
  if (is_within(kExactTimes, best, judge)) {
    return best;
  }
  const auto try_else = [&](const NetworkStructure& start, const CompetingMessages& competing, const Searched& searched,
                            int sweeps) {
    take_if_better(best, fit_from({start, competing}, searched, judge, sweeps));
  };
  const auto acknowledgements = [&] { return best.competing.reverse_share; };
  const bool takes_some = judge.reverse_share() != 0.0;  // as measured between two hosts
  if (takes_some && (judge.scatter() > 0 || judge.is_real())) {
    try_else(network, {.reverse_share = 0}, {}, kSweepsOfSharing);
  }
  try_else(network, {.share_exponent = 1, .reverse_share = acknowledgements()}, {}, kSweepsOfSharing);
  try_else(best.network, best.competing, {.reverse_share = true}, 1);
  if (acknowledgements().value_or(0) > 0 && best.competing.share_exponent == 0) {
    try_else(network, {.share_exponent = 1, .reverse_share = acknowledgements()}, {}, kSweepsOfSharing);
  }
  CompetingMessages by_bandwidths = best.competing;
  by_bandwidths.share_exponent = 1;
  by_bandwidths.share_bytes = kUsualShareBytes;
  try_else(best.network, by_bandwidths, {.share_bytes = true}, kSweepsOfShares);
  if (acknowledgements().value_or(0) == 0) {
    try_else(best.network, best.competing, {.reverse_share = true}, 1);
  }
  // One parameter after the other, faster links come to stand for acknowledgements, or for what bandwidths count for.
  const bool has_either = acknowledgements().value_or(takes_some ? 1 : 0) > 0 || best.competing.share_bytes > 0;
  if (judge.scatter() == 0 && has_either && !is_within(kExactTimes, best, judge)) {
    try_else(network, {.share_exponent = best.competing.share_exponent, .reverse_share = 0}, {}, kSweepsOfSharing);
  }
  return best;
}

/// The same with penalties of messages that share a host, as InfiniBand has them.
FittedNetwork fit_with_penalties(const FittedNetwork& as_it_is, const NetworkJudge& judge, bool links_carry_one) {
  CompetingMessages competing = as_it_is.competing;
  competing.reverse_share.reset();
  competing.penalties = kUsualPenalties;
  competing.more_sent = kMostOfHosts;  // fans took what penalties do for what links carry
  competing.more_received = kMostOfHosts;
  return fit_from({as_it_is.network, competing}, {.penalties = true, .links_carry_one = links_carry_one}, judge,
                  kSweepsOfPenalties);
}

/// False where messages that share a host would slow one another down less than on any card, or just as sharing does,
/// and sharing explains what they take nearly as well.
bool is_plausible(const FittedNetwork& penalised, const FittedNetwork& as_it_is, const NetworkJudge& judge) {
  const FlowPenalties& penalties = penalised.competing.penalties;
  const double near = kLikeSharing + judge.scatter();
  const auto is_sharing = [&](double penalty) { return std::abs(penalty - 1) < near; };
  const bool is_inside = penalties.sending > kLeastSending && penalties.receiving > kLeastPenalty;
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

/// How many links side by side, `most` of them, there may be between switches of a level; 1 where none join its groups.
int most_ways(const NetworkStructure& network, std::size_t level, int most) {
  const bool is_switch = network.levels[level].junction == GroupJunction::kSwitch;
  return is_switch ? std::min(most, static_cast<int>(largest_group(network, level))) : 1;
}

/// With several links side by side wherever that is better.
FittedNetwork fit_ways(FittedNetwork best, const NetworkJudge& judge) {
  for (std::size_t level = 0; level < best.network.levels.size(); ++level) {
    if (!std::isfinite(best.network.levels[level].bandwidth->upper)) {
      continue;
    }
    const int most = most_ways(best.network, level, judge.is_real() ? kFewWays : kMostWays);
    for (int ways = 2; ways <= most && !is_within(kExactTimes, best, judge); ++ways) {
      NetworkStructure other = best.network;
      other.levels[level].ways = ways;
      for (int cables = 1; cables <= ways; ++cables) {
        if (ways % cables == 0) {
          other.levels[level].cables = cables;
          take_if_better(best, fit_from({other, best.competing}, {}, judge, kSweepsOfSharing));
        }
      }
    }
  }
  return best;
}

}  // namespace

FittedNetwork fit_evenly(NetworkStructure network, const NetworkJudge& judge) {
  network.half_duplex = network.has_shared_links() && judge.reverse_share().value_or(0) > kHalfDuplex;
  FittedNetwork start{network};
  // On a backbone two hosts that send to each other wait for one another there, not for acknowledgements.
  if (network.backbone && !network.half_duplex) {
    start.competing.reverse_share = 0;
  }
  return fit_from(std::move(start), {}, judge, kSweepsOfSharing);
}

FittedNetwork fit_further(NetworkStructure network, FittedNetwork evenly, const NetworkJudge& judge) {
  network.half_duplex = evenly.network.half_duplex;
  return fit_ways(fit_as_it_is(network, std::move(evenly), judge), judge);
}

FittedNetwork fit_bandwidths(const NetworkStructure& network, const NetworkJudge& judge) {
  return fit_further(network, fit_evenly(network, judge), judge);
}

FittedNetwork fit_differences(FittedNetwork fitted, const NetworkJudge& judge) {
  if (is_within(kExactTimes, fitted, judge) || fitted.network.torus || fitted.network.rails > 1) {
    return fitted;
  }
  FittedNetwork best = fit_groups(fitted, judge);
  if (!fitted.network.backbone && !is_within(kExactTimes, best, judge)) {
    fitted.network.backbone = kUnlimited;
    fitted.competing.reverse_share = 0;
    FittedNetwork other = fit_from(std::move(fitted), {}, judge, kSweepsOfSharing);
    other = is_within(kExactTimes, other, judge) ? other : fit_groups(other, judge);
    if (other.cost < best.cost - kStrongEvidence) {
      best = std::move(other);
    }
  }
  return best;
}

std::optional<FittedNetwork> fit_penalties(const FittedNetwork& sharing, const NetworkJudge& judge,
                                           const NetworkJudge& of_penalties) {
  if (is_within(kExactTimes, sharing, judge)) {
    return std::nullopt;
  }
  // What links side by side do to some messages, penalties can take for theirs: so each is tried without the other.
  FittedNetwork single = sharing;
  for (GroupLevel& level : single.network.levels) {
    level.ways = 1;
    level.cables = 1;
  }
  std::optional<FittedNetwork> best;
  const auto take_if_plausible = [&](FittedNetwork penalised) {
    const double least = best ? best->cost : sharing.cost - kStrongEvidence;
    const bool is_taken = is_plausible(penalised, sharing, judge) && penalised.cost < least;
    if (is_taken) {
      best = std::move(penalised);
    }
    return is_taken;
  };
  // Hosts' links that are known from messages alone carry one, if that explains the measurements: a message that
  // overlaps another only because it seems slower would be slow to its end.
  const auto try_from = [&](const FittedNetwork& start) {
    if (!of_penalties.has_processors() || !take_if_plausible(fit_with_penalties(start, of_penalties, true))) {
      take_if_plausible(fit_with_penalties(start, of_penalties, false));
    }
  };
  try_from(single);
  for (std::size_t level = 0; level < single.network.levels.size(); ++level) {
    const int most = most_ways(single.network, level, kFewWays);
    for (int ways = 2; ways <= most; ++ways) {
      FittedNetwork start = single;
      start.network.levels[level].ways = ways;
      try_from(start);
    }
  }
  return best;
}

}  // namespace postage
