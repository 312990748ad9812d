#pragma once

#include <postage/schedule/schedule.hpp>

namespace postage {

/// Bytes that a pattern sends in some iterations of its stage, all segments together. Formulas where layouts and
/// patterns are regular; O(messages) elsewhere.
[[nodiscard]] Bytes pattern_bytes(const Pattern& pattern, const BlockLayout& layout, const IndexRange& iterations);

}  // namespace postage
