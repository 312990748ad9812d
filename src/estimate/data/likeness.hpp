#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <span>
#include <utility>
#include <vector>

namespace postage {

/// True where the two times at each size differ by no more than their intervals explain: the sum of the squares of what
/// they differ by, over what they are uncertain by, is what chance makes of as many, with a penalty of ln(n) for the
/// parameters that two sets have more than one. Single outliers do not count for more than three deviations. Exact
/// times differ where they are a thousandth apart. True for none.
[[nodiscard]] bool are_alike(std::span<const std::pair<Estimate, Estimate>> times);

/// Pairs that are alike, in the order of their first pairs: in their roundtrips, and in what messages keep the
/// processors of their ranks. Structure before parameters: each class needs only one set. O(pairs * classes).
[[nodiscard]] std::vector<std::vector<const PairData*>> classes_of(const std::vector<const PairData*>& pairs);

}  // namespace postage
