#pragma once

#include <filesystem>
#include <string>

namespace postage {

/// A program on the PATH; empty if there is none.
[[nodiscard]] std::filesystem::path find_in_path(const std::string& name);

/// A file built with postage: beside the running program (a build folder), in libexec of its prefix (installed), or
/// where POSTAGE_LIBEXEC says; empty if there is none.
[[nodiscard]] std::filesystem::path find_built(const std::string& name);

}  // namespace postage
