#pragma once

#include <postage/base/json.hpp>
#include <postage/optimize/trees.hpp>

#include <string>
#include <vector>

namespace postage {

/// A line for each way to build the tree, with its predicted time.
[[nodiscard]] std::string candidates_text(const std::vector<TreeCandidate>& candidates);

/// The tree as indented lines, each with what goes over the edge to it; trees of more than 64 ranks are not printed.
[[nodiscard]] std::string tree_text(const CollectiveTree& tree);

/// All candidates with their trees' parents.
[[nodiscard]] Json candidates_json(const std::vector<TreeCandidate>& candidates);

}  // namespace postage
