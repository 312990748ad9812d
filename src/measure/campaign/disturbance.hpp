#pragma once

#include "measure/rank_placements.hpp"

#include <postage/transport/transport.hpp>

namespace postage {

/// True where pairs of different hosts that exchange messages at the same time slow one another down: they share links
/// of the network, and can only be measured one after the other. All ranks call it and learn the same. Some roundtrips
/// of 64 KiB between pairs of up to 32 of the campaign's sets, alone and together: whether two pairs share a link
/// depends on which they are.
[[nodiscard]] bool do_pairs_disturb(Transport& transport, const RankPlacements& placements);

}  // namespace postage
