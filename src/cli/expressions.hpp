#pragma once

#include "cli/options/job.hpp"

namespace postage {

/// `postage predict p2p --expression`: prints a cost in tau-Lop's algebra, simplified, and its time.
void evaluate_expression(const JobOptions& options, const JobPlatform& platform);

}  // namespace postage
