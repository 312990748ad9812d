#pragma once

#include <string_view>

namespace postage {

/// What files of earlier versions call `name`, by share/older-names.txt; `name` itself where that has not changed.
[[nodiscard]] std::string_view older_name(std::string_view name);

/// The name now of what files of earlier versions call `older`.
[[nodiscard]] std::string_view current_name(std::string_view older);

}  // namespace postage
