#pragma once

#include <postage/job/counts.hpp>
#include <postage/job/placement.hpp>

namespace postage {

/// --nodes and --per-node say how many ranks there are where -P does not. Throws UsageError where counts are for fewer.
void check_places(const MappingOptions& mapping, const UnevenBlocks& blocks);

}  // namespace postage
