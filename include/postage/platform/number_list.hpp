#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Numbers that ascend as "0-3 8 10-11": ranges, since there may be thousands.
[[nodiscard]] std::string format_number_list(std::span<const int> numbers);

/// Nothing where the text is none: where numbers do not ascend, or are negative.
[[nodiscard]] std::optional<std::vector<int>> parse_number_list(std::string_view text);

}  // namespace postage
