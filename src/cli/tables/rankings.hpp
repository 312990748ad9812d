#pragma once

#include <postage/base/json.hpp>
#include <postage/optimize/comparison.hpp>
#include <postage/report/curves.hpp>

#include <string>
#include <vector>

namespace postage {

/// The ranking under one model at one size.
struct Ranking {
  std::string model;
  Bytes bytes = 0;
  std::vector<Candidate> candidates;
};

/// At most `top` candidates of each.
void print_rankings(const std::vector<Ranking>& rankings, std::size_t top);

[[nodiscard]] Json to_json(const std::vector<Ranking>& rankings, const std::string& collective, Rank ranks);

/// A curve for each algorithm under each model, with its best segment at every size.
[[nodiscard]] std::vector<DrawnCurve> curves_of(const std::vector<Ranking>& rankings, bool several_models);

}  // namespace postage
