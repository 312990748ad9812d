#include "estimate/lmo/lmo_times.hpp"

#include <algorithm>

namespace postage {
namespace {

Estimate mean_estimate(const std::vector<Estimate>& estimates) {
  Estimate sum;
  for (const Estimate& e : estimates) {
    sum = {sum.value + e.value, sum.lower + e.lower, sum.upper + e.upper};
  }
  return scaled(sum, 1 / static_cast<double>(estimates.size()));
}

/// Equation 7, averaged over all triplets of ranks whose roundtrips are known: (T_ij + T_ik - T_jk)/4.
std::map<int, Estimate> fixed_delays(const LmoTimes& times) {
  std::map<int, std::vector<int>> partners;
  for (const PairData& pair : times.campaign().pairs) {
    if (times.roundtrip(pair.first, pair.second, 0) != nullptr) {
      partners[pair.first].push_back(pair.second);
      partners[pair.second].push_back(pair.first);
    }
  }
  std::map<int, Estimate> delays;
  for (const auto& [rank, others] : partners) {
    std::vector<Estimate> all;
    for (std::size_t a = 0; a < others.size(); ++a) {
      for (std::size_t b = a + 1; b < others.size(); ++b) {
        if (const Estimate* opposite = times.roundtrip(others[a], others[b], 0)) {
          const Estimate both = plus(*times.roundtrip(rank, others[a], 0), *times.roundtrip(rank, others[b], 0));
          all.push_back(scaled(minus(both, *opposite), 0.25));
        }
      }
    }
    if (!all.empty()) {
      delays[rank] = at_least_zero(mean_estimate(all));
    }
  }
  return delays;
}

/// Equation 13, averaged: (T_i(M) - max(T_ij(M), T_ik(M)) - 2 C_i)/M.
std::optional<Estimate> variable_delay(const LmoTimes& times, int rank, const Estimate& fixed, Bytes bytes) {
  std::vector<Estimate> all;
  for (const LmoTimes::OneToTwo& one : times.from(rank)) {
    if (one.bytes == bytes) {
      const Estimate& first = *times.roundtrip(rank, one.first, bytes);
      const Estimate& second = *times.roundtrip(rank, one.second, bytes);
      const Estimate& slower = first.value > second.value ? first : second;
      all.push_back(minus(minus(one.time, slower), scaled(fixed, 2)));
    }
  }
  if (all.empty()) {
    return std::nullopt;
  }
  return at_least_zero(scaled(mean_estimate(all), 1 / static_cast<double>(bytes)));
}

}  // namespace

LmoEstimates estimate_lmo_as_printed(const LmoTimes& times, const std::vector<Bytes>& sizes) {
  const Bytes bytes = sizes.back();
  LmoEstimates found;
  const std::map<int, Estimate> fixed = fixed_delays(times);
  for (const int rank : times.sources()) {
    const auto own = fixed.find(rank);
    if (own != fixed.end()) {
      if (const std::optional<Estimate> per_byte = variable_delay(times, rank, own->second, bytes)) {
        found.processors[rank] = {own->second, *per_byte};
      }
    }
  }
  // Equation 16: 1/beta_ij = (T_ij(M) - 2 C_i - 2 C_j)/M - t_i - t_j.
  for (const PairData& pair : times.campaign().pairs) {
    const auto a = found.processors.find(pair.first);
    const auto b = found.processors.find(pair.second);
    const Estimate* time = times.roundtrip(pair.first, pair.second, bytes);
    if (a == found.processors.end() || b == found.processors.end() || time == nullptr) {
      continue;
    }
    const Estimate delays = scaled(plus(a->second.fixed, b->second.fixed), 2);
    const Estimate whole = scaled(minus(*time, delays), 1 / static_cast<double>(bytes));
    const Estimate wire = minus(minus(whole, a->second.per_byte), b->second.per_byte);
    const double least = kLeastWireShare * time->value / static_cast<double>(bytes);
    found.links[{pair.first, pair.second}] = {{}, no_less_than(least, wire)};
  }
  return found;
}

}  // namespace postage
