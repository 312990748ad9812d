#include "preload/nodes/layout.hpp"

#include <algorithm>

namespace postage::preload {

NodeLayout::NodeLayout(std::span<const std::int32_t> given) {
  std::vector<std::int32_t> known;
  for (std::size_t rank = 0; rank < given.size(); ++rank) {
    const auto found = std::find(known.begin(), known.end(), given[rank]);
    const auto node = static_cast<std::size_t>(found - known.begin());
    if (found == known.end()) {
      known.push_back(given[rank]);
      ranks_on.emplace_back();
    }
    node_of.push_back(static_cast<std::int32_t>(node));
    place_of.push_back(static_cast<std::int32_t>(ranks_on[node].size()));
    ranks_on[node].push_back(static_cast<std::int32_t>(rank));
  }
  in_order = std::is_sorted(node_of.begin(), node_of.end());
}

}  // namespace postage::preload
