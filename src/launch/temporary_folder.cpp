#include <postage/base/error.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace postage {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "postage-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(fmt::format("cannot make a temporary folder {}: {}", pattern, std::strerror(errno)));
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace postage
