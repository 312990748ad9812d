#pragma once

#include "estimate/flow/scope_fit.hpp"

#include <vector>

namespace postage {

/// Latency and time per byte of a scope's messages by size, beside what both processors do: along the lines of its
/// points; inside a node, where caches bend the curve so that a line misses points by more than 5 % and by more than
/// twice their interval's half width, from each point to the next. Uses the fit's scope, points, scatter and protocols.
[[nodiscard]] std::vector<FlowPiece> pieces_of(const ScopeFit& fit);

}  // namespace postage
