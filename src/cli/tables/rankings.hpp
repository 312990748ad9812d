#pragma once

#include <postage/job/rankings.hpp>
#include <postage/report/curves.hpp>

#include <vector>

namespace postage {

/// At most `top` candidates of each.
void print_rankings(const std::vector<Ranking>& rankings, std::size_t top);

/// A curve for each algorithm under each model, with its best segment at every size.
[[nodiscard]] std::vector<DrawnCurve> curves_of(const std::vector<Ranking>& rankings, bool several_models);

}  // namespace postage
