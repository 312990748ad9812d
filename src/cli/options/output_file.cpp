#include "cli/options/output_file.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

namespace postage {
namespace {

namespace fs = std::filesystem;

/// `path`, or the innermost folder above it that exists: the others are created.
fs::path existing_part(const fs::path& path) {
  fs::path part = fs::absolute(path).lexically_normal();
  std::error_code failure;
  while (!fs::exists(part, failure) && part.has_relative_path()) {
    part = part.parent_path();
  }
  return part;
}

/// Why nothing can be written below `folder`; empty where it can.
std::string reason_against(const fs::path& folder) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure)) {
    return fmt::format("{} is not a folder", folder.string());
  }
  return access(folder.c_str(), W_OK | X_OK) == 0 ? "" : fmt::format("no permission to write into {}", folder.string());
}

void check(std::string_view option, const std::string& path, const std::string& reason) {
  if (!reason.empty()) {
    throw UsageError(fmt::format("{}: cannot write {}: {}", option, path, reason));
  }
}

/// Nothing could be written under a name that the system does not take.
void check_name(std::string_view option, const std::string& path) {
  std::error_code failure;
  static_cast<void>(fs::status(path, failure));
  check(option, path, failure == std::errc::filename_too_long ? failure.message() : "");
}

}  // namespace

void check_output_file(std::string_view option, const std::string& path) {
  if (path.empty()) {
    return;
  }
  check_name(option, path);
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (fs::is_directory(status)) {
    check(option, path, "it is a folder");
  }
  const bool is_device = fs::exists(status) && !fs::is_regular_file(status);
  if (is_device) {  // written in place
    check(option, path, access(path.c_str(), W_OK) == 0 ? "" : "no permission to write");
    return;
  }
  check(option, path, reason_against(existing_part(fs::absolute(path).parent_path())));
}

std::string platform_output(const std::string& named, bool force) {
  const std::string file = named.empty() ? "platform.json" : named;
  check_output_file("--output", file);
  if (named.empty() && !force && fs::exists(file)) {
    throw UsageError(fmt::format("{} exists; give --force to replace it, or another file with --output", file));
  }
  return file;
}

void check_output_folder(std::string_view option, const std::string& path) {
  if (!path.empty()) {
    check_name(option, path);
    check(option, path, reason_against(existing_part(path)));
  }
}

}  // namespace postage
