#pragma once

#include "predict/flows/flow_program.hpp"

namespace postage {

/// True where the model knows what ranks take to copy within their memory.
[[nodiscard]] bool has_copies(const Flow& model);

/// What ranks' own programs (`program/program.hpp`) say, whose places in memory decide it: where a rank waits for its
/// sends and when it posts its receives; which of its messages carry what it has written since that was last sent, also
/// the last time that the same collective ran on the same memory; and, where the model knows what copying takes, what
/// the rank copies and combines. O(n log n) for n messages and operations.
void follow_programs(FlowProgram& flows, const Schedule& schedule, const Flow& model);

}  // namespace postage
