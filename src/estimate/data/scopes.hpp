#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <string>
#include <vector>

namespace postage {

/// Every channel; then every class of pairs of the channels whose pairs differ. Each with the lines of its curve. In a
/// real node, pairs differ from kLeastDifferenceWithinNode on.
/// Points into `pairs`.
[[nodiscard]] std::vector<ScopeData> scopes_of(const std::vector<PairData>& pairs,
                                               const std::vector<std::string>& channels, const PairStructure& structure,
                                               bool is_virtual);

}  // namespace postage
