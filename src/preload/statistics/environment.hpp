#pragma once

#include <optional>
#include <string>

namespace postage::preload {

/// The variable's value; nothing where it is not set or empty.
[[nodiscard]] std::optional<std::string> setting(const char* variable);

/// Set to anything but "0" and "off".
[[nodiscard]] bool is_on(const char* variable);

/// Says on standard error where the file cannot be written.
void write_text(const std::string& file, const std::string& text);

}  // namespace postage::preload
