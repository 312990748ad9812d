#include "schedule/check/value_table.hpp"

#include <fmt/format.h>

namespace postage {

std::string combine_mistake(const Contributions& contributions, Contributions::Value mistake, Index block,
                            Contributions::Value left, Contributions::Value right) {
  const std::string sides =
      fmt::format("those of {} and of {}", contributions.describe(left), contributions.describe(right));
  return mistake == Contributions::kOverlap
             ? fmt::format("reduces block {} with contributions that it already has: {}", block, sides)
             : fmt::format("reduces block {} out of rank order: {}", block, sides);
}

}  // namespace postage
