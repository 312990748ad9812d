#pragma once

#include <postage/base/json_fields.hpp>

#include <vector>

namespace postage {

/// Ranks in numbered sets, [rank] -> set, as a list of texts: each set's ranks in ranges, "0-3 8". O(ranks).
[[nodiscard]] Json rank_sets_to_json(const std::vector<int>& set_of_rank);

/// Throws Error where a rank is in no set, or in two.
[[nodiscard]] std::vector<int> read_rank_sets(const JsonField& field);

}  // namespace postage
