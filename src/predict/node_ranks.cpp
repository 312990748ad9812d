#include "predict/node_ranks.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

namespace postage {

void check_capacity(const ChannelMap& channels, Rank ranks) {
  if (!channels.is_single() && channels.mapping().capacity() < ranks) {
    throw Error(fmt::format("the mapping has places for {} ranks, but P is {}", channels.mapping().capacity(), ranks));
  }
}

NodeRanks::NodeRanks(const ChannelMap& channels, Rank ranks)
    : mapping_(channels.mapping()), ranks_(ranks), single_(channels.is_single()) {
  if (single_) {
    return;
  }
  check_capacity(channels, ranks);
  nodes_ = mapping_.nodes();
  if (is_explicit()) {
    nodes_ = 0;
    for (Rank rank = 0; rank < ranks; ++rank) {
      const auto node = static_cast<std::size_t>(mapping_.placement_of(rank).node);
      listed_.resize(std::max(listed_.size(), node + 1));
      listed_[node].push_back(rank);
    }
    nodes_ = static_cast<Index>(listed_.size());
  } else if (mapping_.kind() == Mapping::Kind::kBlock) {
    nodes_ = (Index{ranks} + mapping_.per_node() - 1) / mapping_.per_node();
  } else {
    nodes_ = std::min<Index>(mapping_.nodes(), ranks);
  }
}

bool NodeRanks::is_full_and_regular() const {
  return !single_ && !is_explicit() && ranks_ == nodes_ * mapping_.per_node() && nodes_ <= mapping_.nodes() &&
         (mapping_.kind() == Mapping::Kind::kBlock || nodes_ == mapping_.nodes());
}

}  // namespace postage
