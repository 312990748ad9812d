#pragma once

#include <postage/tuning/decision_table.hpp>

#include <vector>

namespace postage {

/// Communicators whose ranks follow one another on the same nodes, and whose rules say the same, get one set of rules:
/// each with the figures of the one that gains less.
[[nodiscard]] std::vector<DecisionRule> merge_communicators(std::vector<DecisionRule> rules);

/// Adds rules of another placement of ranks; where it has rules for the same communicators, those there are stay.
void add_without_overlap(std::vector<DecisionRule>& all, const std::vector<DecisionRule>& more);

}  // namespace postage
