#pragma once

#include <postage/base/json.hpp>
#include <postage/platform/parameters.hpp>

namespace postage {

/// The number to five digits, which is more than a chart shows, and less than half the text.
[[nodiscard]] Json brief(double value);

/// Value, lower and upper end.
[[nodiscard]] Json brief(const Estimate& estimate);

}  // namespace postage
