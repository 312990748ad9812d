#pragma once

#include <postage/predict/platform_model.hpp>
#include <postage/schedule/tree_file.hpp>

namespace postage {

/// Moves sub-trees, exchanges ranks and changes the order of children, drawn at random, as long as the tree's predicted
/// time does not grow; disturbs it where that ends, and returns the best tree seen. For models whose messages depend on
/// one another, of which TreeTimes knows nothing. An allgather's root may change. Up to 128 ranks; predicts some
/// 100,000 messages in all, which takes some seconds at most. The same on every call.
[[nodiscard]] CollectiveTree improve_by_prediction(CollectiveTree tree, const PlatformModel& platform);

}  // namespace postage
