#pragma once

#include <postage/base/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace postage {

/// The whole file. Throws Error naming the file and the system's reason.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Writes to a temporary file beside `path` and renames it, so that no reader ever sees half a file. Creates missing
/// folders. Throws Error naming the file.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Throws Error naming the file and the place of the first mistake.
[[nodiscard]] Json read_json(const std::filesystem::path& path);

/// Indented, with sorted keys and shortest exact numbers: the same value gives the same bytes.
void write_json(const std::filesystem::path& path, const Json& value);

/// The envelope of every file that travels between stages: {"format": FORMAT, "version": N, ...}.
/// Throws Error if `value` is of another format, or of a newer version than this program can read.
void check_envelope(const Json& value, std::string_view format, int newest_version, const std::filesystem::path& path);

}  // namespace postage
