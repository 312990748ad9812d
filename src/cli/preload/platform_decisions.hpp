#pragma once

#include <filesystem>

namespace postage {

/// A file of decisions for the preload library, predicted from a platform file as `postage tune --for preload` does.
/// It is made once for each content of a platform file, and kept in the user's cache: $XDG_CACHE_HOME/postage or
/// ~/.cache/postage. Throws Error, UsageError for a platform of one rank.
[[nodiscard]] std::filesystem::path decisions_of_platform(const std::filesystem::path& platform);

}  // namespace postage
