#include "estimate/flow/host_rates.hpp"

#include <algorithm>
#include <limits>

namespace postage {
namespace {

/// Rates that differ by less, as a share, are noise, or what is left of latencies.
constexpr double kAlike = 0.03;
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
    least = std::min(least, fastest(static_cast<int>(host), kLargest));
    most = std::max(most, fastest(static_cast<int>(host), kLargest));
  }
  return most > least * (1 + kAlike);
}

double HostRates::share(int host, int of) const {
  const double whole = fastest(of, kLargest);
  return whole > 0 ? fastest(host, kLargest) / whole : 1;
}

}  // namespace postage
