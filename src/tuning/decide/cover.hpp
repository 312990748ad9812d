#pragma once

#include <postage/base/units.hpp>

#include <cstddef>
#include <vector>

namespace postage {

/// Which choices, by number, a rule may have at one size, and what each takes. Choice 0 is the default.
struct CoveredCell {
  std::vector<Seconds> seconds;  ///< [choice]
  std::vector<bool> is_allowed;  ///< [choice]; at least one
};

/// Neighbouring sizes with one choice.
struct CoverRun {
  std::size_t first = 0;
  std::size_t last = 0;  ///< included
  std::size_t choice = 0;
  bool operator==(const CoverRun&) const = default;
};

/// The fewest runs that give every cell an allowed choice; of the choices that a run may have, the one that takes the
/// least in all, relative to each cell's best. O(cells * choices): the longest run from the first cell on is never
/// wrong.
[[nodiscard]] std::vector<CoverRun> cover(const std::vector<CoveredCell>& cells);

/// Allows every choice that takes less than `loss` more than the best of `candidates`, which must not be empty.
void allow_within(CoveredCell& cell, const std::vector<std::size_t>& candidates, double loss);

}  // namespace postage
