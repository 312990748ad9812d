#pragma once

#include "cli/options/job_options.hpp"

namespace postage {

/// Reads the trace that the options name, plays it on their platform and prints what it takes. Throws Error or
/// UsageError.
void predict_trace(const JobCommand& options);

}  // namespace postage
