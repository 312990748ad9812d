#pragma once

#include <string>

namespace postage::preload {

/// Says on standard error where the file cannot be written.
void write_text(const std::string& file, const std::string& text);

}  // namespace postage::preload
