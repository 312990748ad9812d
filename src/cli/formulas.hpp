#pragma once

#include "cli/options/job_options.hpp"

namespace postage {

/// `postage predict --formula`: prints the formulas asked for beside the evaluator's times of what they describe.
void predict_formulas(const JobCommand& options, const JobPlatform& platform);

/// `postage models --formulas`.
void list_formulas(bool as_json);

}  // namespace postage
