#pragma once

#include "cli/options/job_options.hpp"

namespace postage {

/// `postage predict p2p --expression`: prints a cost in tau-Lop's algebra, simplified, and its time.
void evaluate_expression(const JobCommand& options, const JobPlatform& platform);

}  // namespace postage
