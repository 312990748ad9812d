#include "estimate/network/level_bandwidths.hpp"

#include "estimate/network/bandwidths.hpp"

#include <algorithm>
#include <limits>

namespace postage {

std::optional<Estimate> estimate_of(const Bandwidth& bandwidth) {
  if (!bandwidth.rate) {
    return std::nullopt;
  }
  const double most = bandwidth.is_least ? std::numeric_limits<double>::infinity() : *bandwidth.rate;
  return Estimate{*bandwidth.rate, *bandwidth.rate, most};
}

std::size_t levels_with_backbone(const NetworkStructure& network) {
  return network.torus ? 1 : network.levels.size() + (network.backbone ? 1 : 0);
}

const std::optional<Estimate>& bandwidth_of(const NetworkStructure& network, std::size_t index) {
  if (network.torus) {
    return network.torus->bandwidths.front();
  }
  return index < network.levels.size() ? network.levels[index].bandwidth : network.backbone;
}

void set_bandwidth(NetworkStructure& network, std::size_t index, const Bandwidth& bandwidth) {
  const std::optional<Estimate> rate = estimate_of(bandwidth);
  if (network.torus) {
    std::fill(network.torus->bandwidths.begin(), network.torus->bandwidths.end(), rate);
  } else if (index < network.levels.size()) {
    network.levels[index].bandwidth = rate;
  } else {
    network.backbone = rate.value_or(kUnlimited);
  }
}

}  // namespace postage
