#pragma once

#include <postage/platform/network.hpp>

#include <cstddef>
#include <optional>

namespace postage {

/// B/s, none where it does not limit; where only its least is known, `is_least`.
struct Bandwidth {
  std::optional<double> rate{};
  bool is_least = false;
};

/// Infinite above where only its least is known.
[[nodiscard]] std::optional<Estimate> estimate_of(const Bandwidth& bandwidth);

/// Number of bandwidths that all links of a kind have: one for each level, and behind these one for the backbone; one
/// for all links of a torus.
[[nodiscard]] std::size_t levels_with_backbone(const NetworkStructure& network);
[[nodiscard]] const std::optional<Estimate>& bandwidth_of(const NetworkStructure& network, std::size_t index);
/// A backbone that does not limit stays one.
void set_bandwidth(NetworkStructure& network, std::size_t index, const Bandwidth& bandwidth);

}  // namespace postage
