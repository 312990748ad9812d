#pragma once

#include <cstdint>
#include <filesystem>

namespace postage::shm {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] int release();

 private:
  int number_;
};

/// A new file of mode 0600 that never has a name, all of it reserved: nothing is left of it when the last process that
/// has it is gone, and none is killed later because the memory ran out. Throws Error where it is not to be had, naming
/// how much and where.
[[nodiscard]] Descriptor unnamed_file(const std::filesystem::path& directory, std::uint64_t bytes);

}  // namespace postage::shm
