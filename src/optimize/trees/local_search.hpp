#pragma once

#include "optimize/trees/tree_times.hpp"

#include <cstdint>

namespace postage {

/// Moves sub-trees and exchanges ranks on the tree's longest path, and beside it, as long as the tree gets faster; then
/// disturbs it and starts again, until `work` children have been looked at. Ends with the best tree seen. The same for
/// the same seed.
void improve_tree(TreeTimes& tree, std::size_t work, std::uint64_t seed = 2009);

}  // namespace postage
