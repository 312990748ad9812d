#include "property/transport/random_rounds.hpp"

#include <algorithm>
#include <memory>

namespace postage {

void RandomRounds::add(const Messages& messages) {
  Round round;
  for (const auto& [key, carried] : messages) {
    auto runs = std::make_shared<std::vector<BlockRun>>();
    for (const Index block : carried) {
      runs->push_back({block, 1});
    }
    std::shuffle(runs->begin(), runs->end(), random_);
    round.patterns.push_back({.pairs = AffinePairs{.count = 1, .source_first = key.source, .target_first = key.target},
                              .numbering = FoldedNumbering{},
                              .blocks = ExplicitBlocks{runs},
                              .combine = key.combine});
  }
  add(std::move(round));
}

}  // namespace postage
