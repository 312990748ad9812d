#pragma once

#include "cli/launching.hpp"

#include <string>
#include <vector>

namespace postage {

/// Prints what a campaign of these experiments would make on the job that the options ask for, if all its ranks are
/// alike, and if they all differ: by counting, without starting anything. Throws UsageError where the number of ranks
/// is not known.
void print_dry_run(const LaunchOptions& launch, int per_node, const std::vector<std::string>& experiments,
                   bool as_json);

}  // namespace postage
