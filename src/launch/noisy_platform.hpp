#pragma once

#include <filesystem>

namespace postage {

/// A platform for smpirun beside the file given, which says how much noise it has: the library that makes it, and reads
/// the file. Throws Error where it was not built.
[[nodiscard]] std::filesystem::path with_noise(std::filesystem::path platform);

}  // namespace postage
