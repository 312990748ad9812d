#pragma once

#include <postage/optimize/mapping/communication.hpp>

#include <vector>

namespace postage {

/// What the vertices of a graph are divided among: parts of given sizes, all as far from one another; or the nodes of a
/// torus, the first dimension varying fastest, `sizes` slots on each.
struct PartsAsked {
  std::vector<int> sizes;
  std::vector<int> torus{};
};

/// The part of each of `vertices` vertices, as Scotch finds them: parts may be larger or smaller than asked. Throws
/// Error where Scotch fails.
[[nodiscard]] std::vector<int> scotch_parts(Rank vertices, const std::vector<CommunicationEdge>& edges,
                                            const PartsAsked& asked);

/// Moves vertices from parts that are too large to those that are too small, each time the one that loses least of
/// what it sends within its part, or gains most in the other. O(moves * (vertices + edges)).
void balance_parts(std::vector<int>& part_of, const std::vector<CommunicationEdge>& edges,
                   const std::vector<int>& sizes);

}  // namespace postage
