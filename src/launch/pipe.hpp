#pragma once

#include <postage/base/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace postage {

/// A pipe that no program started later inherits. Closes its ends.
class Pipe {
 public:
  /// Throws Error.
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_write_end() { close_end(1); }
  /// The caller closes it.
  [[nodiscard]] int release_read_end() { return std::exchange(ends_[0], -1); }

 private:
  void close_end(std::size_t which) {
    if (ends_[which] >= 0) {
      close(ends_[which]);
      ends_[which] = -1;
    }
  }

  std::array<int, 2> ends_{-1, -1};
};

}  // namespace postage
