#pragma once

#include <postage/model/hockney.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace postage::lastovetsky_paper {

/// Table 1: the type, 1 to 7, of each of the 16 nodes.
inline constexpr std::array<int, 16> kNodeTypes{1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 4, 5, 6, 7, 7, 7};

/// Table 2 as printed: alpha and beta between two nodes.
[[nodiscard]] HockneyLink printed_link(int a, int b);
[[nodiscard]] Hockney printed_hockney();

enum class Choice { kFastest, kSlowest };

/// Section 3's choice of ranks for the places of the binomial tree: from the largest sub-trees on, the root of each is
/// the rank left to which its parent's root sends `blocks` * block bytes fastest, or slowest. Places as in
/// closed_form::binomial_scatter; the rank at place 0 is 0.
[[nodiscard]] std::vector<std::int32_t> binomial_places(const Hockney& model, std::size_t ranks, Bytes block,
                                                        Choice choice);

}  // namespace postage::lastovetsky_paper
