#include "estimate/network/network_fit.hpp"

#include "estimate/network/least.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace postage {
namespace {

/// Bandwidths are looked for between these shares of the fastest message's rate.
constexpr double kLeastShare = 1.0 / 1024;
constexpr double kMostShare = 32;
constexpr int kGridSteps = 30;
constexpr int kBisections = 13;
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
    // Whether messages share by their latencies is a choice between two, not a parameter.
    const std::size_t parameters = bandwidths_in(network_) + (is_shared ? 2 : 0) +
                                   (competing_.share_bytes > 0 ? 1 : 0) +
                                   (competing_.reverse_share.value_or(0) > 0 ? 1 : 0) + (network_.rails > 1 ? 1 : 0) +
                                   (competing_.penalties.any() ? 3 : 0);
    return {network_, competing_, judge_.cost_of(misses, static_cast<double>(parameters))};
  }

 private:
  double find_bandwidth(std::size_t index) {
    set_bandwidth(network_, index, {});
    const double without = judge_.misses(network_, competing_);
    if (!(judge_.fastest() > 0)) {
      return without;  // messages that take no time share nothing
    }
    const double low = std::log(judge_.fastest() * kLeastShare);
    const double high = std::log(judge_.fastest() * kMostShare);
    Least best = search(low, high, kGridSteps, [&](double logarithm) { return misses_at(index, logarithm); });
    // A link carries at least what a message alone gets across it, whatever else slows concurrent ones down.
    const double alone = judge_.fastest_across(network_, index);
    if (alone > 0 && best.at < std::log(alone)) {
      best = {std::log(alone), misses_at(index, std::log(alone))};
    }
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
    for (int i = 0; i < kBisections; ++i) {
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
        search(std::log(kLeastShareBytes), std::log(kMostShareBytes), kStepsOfHosts, [&](double logarithm) {
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
    const double least = searched_.links_carry_one ? 0 : -std::log(kMostOfHosts);
    const Least best = search(least, std::log(kMostOfHosts), kStepsOfHosts, [&](double logarithm) {
      competing_.*more = std::exp(std::max(logarithm, least));
      return judge_.misses(network_, competing_);
    });
    competing_.*more = best.value < before ? std::exp(std::max(best.at, least)) : start;
    return std::min(best.value, before);
  }

  NetworkStructure network_;
  CompetingMessages competing_;
  Searched searched_;
  const NetworkJudge& judge_;
};

}  // namespace

FittedNetwork fit_from(FittedNetwork start, const Searched& searched, const NetworkJudge& judge, int sweeps) {
  return NetworkFit(std::move(start), searched, judge).fit(sweeps);
}

}  // namespace postage
