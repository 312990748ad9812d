#pragma once

#include <string_view>
#include <vector>

namespace postage {

/// The pieces between separators, also empty ones at both ends: "a,,b," has four. They refer to the text.
[[nodiscard]] std::vector<std::string_view> split_at(std::string_view text, char separator);

}  // namespace postage
