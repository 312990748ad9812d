#pragma once

#include "tuning/lint/findings.hpp"
#include "tuning/lint/mpich/algorithms.hpp"

#include <postage/base/json_lines.hpp>

namespace postage {

/// What stands below an algorithm: parameters that it reads, with values that it can do with.
void check_mpich_parameters(const JsonLine& leaf, const MpichAlgorithm& algorithm, const LibraryVersion& version,
                            LintFindings& findings);

}  // namespace postage
