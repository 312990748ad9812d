#pragma once

#include <optional>
#include <string_view>

namespace postage::preload {

/// The variable of this library that a name is a misspelling of, at most two letters away; nothing where it is one of
/// Postage's, or like none.
[[nodiscard]] std::optional<std::string_view> name_meant_by(std::string_view name);

}  // namespace postage::preload
