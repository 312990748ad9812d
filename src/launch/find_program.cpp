#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <vector>

namespace postage {
namespace {

namespace fs = std::filesystem;

bool is_readable_file(const fs::path& path) {
  return fs::is_regular_file(path) && access(path.c_str(), R_OK) == 0;
}

fs::path first_with(const std::vector<fs::path>& folders, const std::string& name) {
  for (const fs::path& folder : folders) {
    if (is_readable_file(folder / name)) {
      return folder / name;
    }
  }
  return {};
}

}  // namespace

fs::path find_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream list(path == nullptr ? "" : path);
  std::vector<fs::path> folders;
  for (std::string folder; std::getline(list, folder, ':');) {
    folders.emplace_back(folder);
  }
  return first_with(folders, name);
}

fs::path find_built(const std::string& name) {
  const fs::path self = fs::read_symlink("/proc/self/exe").parent_path();
  std::vector<fs::path> folders{self, self.parent_path() / "libexec" / "postage"};
  if (const char* chosen = std::getenv("POSTAGE_LIBEXEC"); chosen != nullptr && *chosen != '\0') {
    std::error_code failure;
    if (!fs::is_directory(chosen, failure)) {
      throw UsageError(fmt::format("POSTAGE_LIBEXEC is a folder with Postage's programs, not \"{}\"", chosen));
    }
    folders.insert(folders.begin(), chosen);
  }
  return first_with(folders, name);
}

}  // namespace postage
