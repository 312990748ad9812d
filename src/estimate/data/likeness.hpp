#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <vector>

namespace postage {

/// Pairs that are alike, in the order of their first pairs: in their roundtrips, and in what messages keep the
/// processors of their ranks, up to `least_share` of a time. Structure before parameters: each class needs only one
/// set. O(pairs * classes).
[[nodiscard]] std::vector<std::vector<const PairData*>> classes_of(const std::vector<const PairData*>& pairs,
                                                                   double least_share = kLeastAlike);

/// The pair's one-way times by size, in seconds.
[[nodiscard]] TimesBySize one_way_of(const PairData& pair);

}  // namespace postage
