#pragma once

#include "estimate/flow/scope_fit.hpp"

namespace postage {

/// Where pairs of a channel differ, most were measured at few sizes, which show neither where lines begin nor short
/// ones between. Where the lines of the pairs that were measured at most sizes, with a latency and a time per byte each
/// so many times as large, explain the times of others as well as their own lines do, these take them over.
void take_lines_of_finest(const ChannelFits& fits);

}  // namespace postage
