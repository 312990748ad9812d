#include "predict/rounds/measured_ranks.hpp"

#include <algorithm>

namespace postage {
namespace {

Rank rank_on(const NodeRanks& nodes, Index node, Index slot) {
  const Mapping& mapping = nodes.mapping();
  return static_cast<Rank>(mapping.kind() == Mapping::Kind::kBlock ? node * mapping.per_node() + slot
                                                                   : slot * mapping.nodes() + node);
}

}  // namespace

void sort_once(std::vector<Rank>& ranks) {
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
}

MeasuredRanks::MeasuredRanks(const ChannelMap& channels, Rank ranks) {
  for (Rank rank = 0; rank < ranks; ++rank) {
    if (channels.measured_rank(rank) >= 0) {
      ranks_.push_back(rank);
    }
  }
}

std::optional<std::vector<Rank>> MeasuredRanks::with_partners(const Round& round, Index iteration,
                                                              std::size_t most) const {
  std::vector<Rank> all = ranks_;
  for (const Pattern& pattern : round.patterns) {
    if (pair_count(pattern, iteration) == 0) {
      continue;
    }
    for (const Rank rank : ranks_) {
      const auto v = virtual_of(pattern.numbering, rank);
      const PairIndices from = v ? pairs_from(pattern.pairs, *v, iteration) : PairIndices{};
      const PairIndices to = v ? pairs_to(pattern.pairs, *v, iteration) : PairIndices{};
      if (all.size() + static_cast<std::size_t>(from.count + to.count) > most) {
        return std::nullopt;
      }
      for (Index k = 0; k < from.count; ++k) {
        const Index target = pair_at(pattern.pairs, from.at(k), iteration).target;
        all.push_back(static_cast<Rank>(rank_of(pattern.numbering, target)));
      }
      for (Index k = 0; k < to.count; ++k) {
        const Index source = pair_at(pattern.pairs, to.at(k), iteration).source;
        all.push_back(static_cast<Rank>(rank_of(pattern.numbering, source)));
      }
    }
  }
  sort_once(all);
  return all;
}

std::vector<Rank> one_of_each_slot(const NodeRanks& nodes, std::span<const Rank> others) {
  std::vector<Rank> ranks;
  for (Index slot = 0; slot < nodes.mapping().per_node(); ++slot) {
    for (Index node = nodes.nodes(); node-- > 0;) {
      const Rank rank = rank_on(nodes, node, slot);
      if (!std::binary_search(others.begin(), others.end(), rank)) {
        ranks.push_back(rank);
        break;
      }
    }
  }
  return ranks;
}

}  // namespace postage
