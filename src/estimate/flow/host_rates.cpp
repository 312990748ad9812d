#include "estimate/flow/host_rates.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace postage {
namespace {

/// Rates that differ by less, as a share, are noise, or what is left of latencies.
constexpr double kOneRate = 0.03;
/// Rates of hosts that differ by less than this from the next slower one are of one class.
constexpr double kOneClass = 0.04;
/// Messages that share unevenly seem faster by less: most end before the last one.
constexpr double kUnevenShares = 1.5;
constexpr Bytes kLargest = std::numeric_limits<Bytes>::max();

double rate_of(const ScopeFit& fit, Bytes bytes) {
  const double per_byte = fit.piece_at(bytes).per_byte.value;
  return per_byte > 0 ? 1 / per_byte : 0;
}

double fastest_of(const std::vector<const ScopeFit*>& fits, Bytes bytes) {
  double fastest = 0;
  for (const ScopeFit* fit : fits) {
    fastest = std::max(fastest, rate_of(*fit, bytes));
  }
  return fastest;
}

}  // namespace

std::vector<const Measurement*> largest_outcasts(const CampaignData& campaign) {
  std::map<int, const Measurement*> largest;  // by host
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kHostOutcast && e.channel == kInterNode && m.summary.count > 0) {
      const Measurement*& known = largest[campaign.samples.ranks[static_cast<std::size_t>(e.members.front())].node];
      known = known == nullptr || e.bytes > known->experiment.bytes ? &m : known;
    }
  }
  std::vector<const Measurement*> list;
  for (const auto& [host, m] : largest) {
    list.push_back(m);
  }
  return list;
}

std::vector<double> in_classes(const std::vector<double>& rates) {
  std::vector<std::size_t> order(rates.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rates[a] < rates[b]; });
  std::vector<double> result(rates.size());
  for (std::size_t first = 0; first < order.size();) {
    std::vector<double> alike{rates[order[first]]};
    std::size_t next = first + 1;
    while (next < order.size() && rates[order[next]] <= alike.back() * (1 + kOneClass)) {
      alike.push_back(rates[order[next++]]);
    }
    for (; first < next; ++first) {
      result[order[first]] = median(alike);
    }
  }
  return result;
}

HostRates::HostRates(const CampaignData& campaign, const ChannelFits& fits)
    : campaign_(campaign), fits_(campaign.samples.nodes.size()) {
  for (const ScopeFit* fit : fits) {
    all_.push_back(fit);
    for (const PairData* pair : fit->scope->scope.is_pair() ? fit->scope->pairs : std::vector<const PairData*>{}) {
      add(*fit, pair->first);
      add(*fit, pair->second);
      add_alike(*fit, *pair);
    }
  }
  add_outcasts();
}

void HostRates::add_outcasts() {
  at_once_.resize(fits_.size());
  if (all_.empty() || all_.front()->pieces.empty()) {
    return;
  }
  for (const Measurement* m : largest_outcasts(campaign_)) {
    const Experiment& e = m->experiment;
    const auto host =
        static_cast<std::size_t>(campaign_.samples.ranks[static_cast<std::size_t>(e.members.front())].node);
    const Seconds moving = m->summary.median - all_.front()->piece_at(e.bytes).latency.value;
    const auto bytes = static_cast<double>(e.bytes) * static_cast<double>(e.members.size() - 1);
    const double alone = fastest(static_cast<int>(host), kLargest);
    at_once_[host] = moving > 0 && bytes / moving > kUnevenShares * alone ? bytes / moving : alone;
  }
  at_once_ = in_classes(at_once_);
}

double HostRates::carried(int host) const {
  const double own = at_once_[static_cast<std::size_t>(host)];
  return own > 0 ? own : fastest(host, kLargest);
}

void HostRates::add(const ScopeFit& fit, int rank) {
  const auto host = static_cast<std::size_t>(campaign_.samples.ranks[static_cast<std::size_t>(rank)].node);
  std::vector<const ScopeFit*>& known = fits_[host];
  if (std::find(known.begin(), known.end(), &fit) == known.end()) {
    known.push_back(&fit);
  }
}

/// Of a class of pairs few are measured, and those may all cross what slows them, for some hosts.
void HostRates::add_alike(const ScopeFit& fit, const PairData& pair) {
  const PairStructure& structure = *campaign_.structure;
  if (structure.empty()) {
    return;
  }
  const std::size_t index = structure.class_of(pair.channel, pair.first, pair.second);
  if (!seen_.emplace(&fit, index).second) {
    return;
  }
  std::set<int> groups;
  for (const auto& [one, other] : structure.classes[index].of_groups) {
    groups.insert({one, other});
  }
  for (std::size_t rank = 0; rank < structure.group_of.size(); ++rank) {
    if (groups.contains(structure.group_of[rank])) {
      add(fit, static_cast<int>(rank));
    }
  }
}

double HostRates::fastest(int host, Bytes bytes) const {
  const double own = fastest_of(fits_[static_cast<std::size_t>(host)], bytes);
  return own > 0 ? own : fastest_of(all_, bytes);
}

bool HostRates::differ() const {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t host = 0; host < fits_.size(); ++host) {
    least = std::min(least, carried(static_cast<int>(host)));
    most = std::max(most, carried(static_cast<int>(host)));
  }
  return most > least * (1 + kOneRate);
}

double HostRates::share(int host, int of) const {
  const double whole = carried(of);
  return whole > 0 ? carried(host) / whole : 1;
}

}  // namespace postage
