#pragma once

#include <string>
#include <string_view>

namespace postage {

/// Throws UsageError naming `option` where `path` cannot be written later: it is a folder, or the folder that it would
/// be in is no folder, cannot be created or does not let us write. To be called before minutes of measuring. An empty
/// path is not written.
void check_output_file(std::string_view option, const std::string& path);

/// The same for a folder that files are written into, existing or not.
void check_output_folder(std::string_view option, const std::string& path);

/// The platform file that --output named, or platform.json. Throws UsageError as check_output_file does, and where
/// nobody named platform.json, which exists, nor gave --force.
[[nodiscard]] std::string platform_output(const std::string& named, bool force);

}  // namespace postage
