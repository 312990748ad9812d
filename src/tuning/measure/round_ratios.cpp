#include "tuning/measure/round_ratios.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cstddef>

namespace postage {
namespace {

/// The median over rounds 0, 2, .. or 1, 3, ..; over all where there are too few for two halves.
double median_of_half(const RoundRatios& ratios, std::size_t first) {
  constexpr std::size_t kFewest = 4;
  if (ratios.size() < kFewest) {
    return median(ratios);
  }
  RoundRatios half;
  for (std::size_t round = first; round < ratios.size(); round += 2) {
    half.push_back(ratios[round]);
  }
  return median(half);
}

}  // namespace

RoundRatios ratios_of(const PairedTimes& pairs) {
  RoundRatios ratios(std::min(pairs.tuned.size(), pairs.standard.size()));
  for (std::size_t round = 0; round < ratios.size(); ++round) {
    ratios[round] = pairs.tuned[round] / pairs.standard[round];
  }
  return ratios;
}

double best_ratio(const std::vector<RoundRatios>& choices) {
  double sum = 0;
  for (const std::size_t half : {0U, 1U}) {
    double chosen = 1;
    double judged = 1;
    for (const RoundRatios& ratios : choices) {
      if (const double own = median_of_half(ratios, half); own < chosen) {
        chosen = own;
        judged = median_of_half(ratios, 1 - half);
      }
    }
    sum += judged;
  }
  return sum / 2;
}

}  // namespace postage
