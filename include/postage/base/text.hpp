#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// The pieces between separators, also empty ones at both ends: "a,,b," has four. They refer to the text.
[[nodiscard]] std::vector<std::string_view> split_at(std::string_view text, char separator);

/// The text as one word of a shell: in single quotes where a shell would take it for something else.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace postage
