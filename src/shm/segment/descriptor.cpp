#include "shm/segment/descriptor.hpp"

#include <postage/base/error.hpp>
#include <postage/base/units.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace postage::shm {
namespace {

Descriptor open_unnamed(const std::filesystem::path& directory) {
  Descriptor file(open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.number() < 0) {
    throw Error(
        fmt::format("cannot make an unnamed file in {} ({}); shared memory needs a tmpfs that this user may write to",
                    directory.string(), std::strerror(errno)));
  }
  // A umask may have taken bits away, but must not have left more than the owner's.
  if (fchmod(file.number(), S_IRUSR | S_IWUSR) != 0) {
    throw Error(fmt::format("cannot set the mode of a file in {} ({})", directory.string(), std::strerror(errno)));
  }
  return file;
}

void reserve(const Descriptor& file, std::uint64_t bytes, const std::filesystem::path& directory) {
  int failure = EINTR;
  while (failure == EINTR) {
    failure = posix_fallocate(file.number(), 0, static_cast<off_t>(bytes));
  }
  if (failure != 0) {
    throw Error(
        fmt::format("{} has no room for the {} that the ranks share ({}); make it larger, remove what "
                    "fills it, or choose a smaller pool",
                    directory.string(), format_bytes(static_cast<Bytes>(bytes)), std::strerror(failure)));
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) {
    close(number_);
  }
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

int Descriptor::release() {
  return std::exchange(number_, -1);
}

Descriptor unnamed_file(const std::filesystem::path& directory, std::uint64_t bytes) {
  Descriptor file = open_unnamed(directory);
  reserve(file, bytes, directory);
  return file;
}

}  // namespace postage::shm
