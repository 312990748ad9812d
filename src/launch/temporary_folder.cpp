#include "launch/supervisor.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/launch.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace postage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "postage-";
constexpr std::string_view kName = "postage-XXXXXX";
constexpr const char* kLockFile = ".owner";

/// Locked, then written to: an empty file may be about to be locked. Where files cannot be locked nothing is lost but
/// the removal of what a killed owner leaves.
int lock_as_owner(const fs::path& folder) {
  const int lock = open((folder / kLockFile).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX) == 0) {
    static_cast<void>(write(lock, "locked\n", 7) > 0);
  }
  return lock;
}

bool is_abandoned(const fs::path& folder) {
  const int lock = open((folder / kLockFile).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (lock < 0) {
    return false;
  }
  struct stat file {};
  const bool is_free =
      fstat(lock, &file) == 0 && file.st_uid == geteuid() && file.st_size > 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
  close(lock);
  return is_free;
}

void remove_abandoned(const fs::path& folder) {
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.size() == kName.size() && name.starts_with(kPrefix) && is_abandoned(entry->path())) {
      std::error_code also_ignored;
      fs::remove_all(entry->path(), also_ignored);
    }
  }
}

fs::path folder_for_temporary_files() {
  const char* const named = std::getenv("TMPDIR");
  if (named != nullptr && *named == '\0') {
    return "/tmp";
  }
  std::error_code failure;
  fs::path folder = fs::temp_directory_path(failure);
  if (failure) {
    throw Error(fmt::format("there is no folder for temporary files: {} is none; let TMPDIR name one",
                            named == nullptr ? "/tmp" : named));
  }
  return folder;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  static std::once_flag removed;
  const fs::path above = folder_for_temporary_files();
  std::call_once(removed, [&] { remove_abandoned(above); });
  std::string pattern = (above / kName).string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(fmt::format("cannot make a temporary folder {}: {}", pattern, std::strerror(errno)));
  }
  path_ = pattern;
  lock_ = lock_as_owner(path_);
}

TemporaryFolder::~TemporaryFolder() {
  // Ranks whose launcher was killed may write into it until they are ended, too: it is tried again for three seconds.
  // Of those whose supervisor was killed nobody knows when they are, and a rank that is starting makes the folder anew.
  constexpr int kTries = 150;
  constexpr int kTriesWhenLost = 50;
  const int enough = SupervisedCommand::has_lost_one() ? kTriesWhenLost : 1;
  std::error_code ignored;
  for (int left = kTries, absent = 0; left > 0 && absent < enough; --left) {
    fs::remove_all(path_, ignored);
    absent = fs::exists(path_, ignored) ? 0 : absent + 1;
    if (absent < enough) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  if (lock_ >= 0) {
    close(lock_);
  }
}

}  // namespace postage
