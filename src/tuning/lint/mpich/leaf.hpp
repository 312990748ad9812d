#pragma once

#include "tuning/lint/findings.hpp"
#include "tuning/lint/mpich/conditions.hpp"

#include <postage/base/json_lines.hpp>

#include <string_view>

namespace postage {

/// What is known of the calls that reach a leaf.
struct MpichLeafPlace {
  std::string_view collective;
  const MpichConditions& conditions;
};

/// The algorithm exists, belongs to the collective, has what it needs, and its parameters are what it reads.
void check_mpich_leaf(const JsonLine& leaf, const MpichKey& key, const MpichLeafPlace& place,
                      const LibraryVersion& version, LintFindings& findings);

}  // namespace postage
