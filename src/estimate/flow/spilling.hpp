#pragma once

#include "estimate/flow/copies.hpp"

namespace postage {

/// b(m): what a message of m bytes that its receiver fetches takes longer than if all its bytes went as fast as those
/// of the fetched message whose bytes go fastest, of larger ones than that: it and its copy are more than caches hold.
/// Nothing where no size shows any.
[[nodiscard]] ParameterCurve spilled_times(const ScopeFit& fit, const FetchedMessages& fetched);

}  // namespace postage
