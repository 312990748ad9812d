#pragma once

namespace postage {

/// Adds an algorithm "random-tree" to each collective that goes along trees, so that trees of all forms run like all
/// others. The same on all ranks.
void register_random_trees();

}  // namespace postage
