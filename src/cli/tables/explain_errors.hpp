#pragma once

#include "cli/options/job_options.hpp"

#include <string>
#include <vector>

namespace postage {

/// `postage explain --against`: prints what explains best why predictions of the collective miss what was measured.
void explain_errors(const JobCommand& options, const JobPlatform& platform, const std::vector<std::string>& samples);

}  // namespace postage
