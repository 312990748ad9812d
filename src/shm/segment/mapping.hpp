#pragma once

#include "shm/segment/descriptor.hpp"
#include "shm/segment/layout.hpp"

#include <sys/types.h>

#include <cstdint>

namespace postage::shm {

/// An unnamed file of a segment, mapped.
///
/// A rank that lives holds a lock on the byte of the file that has its number. The kernel lets go of a process's locks
/// when it dies, of whatever: no heart-beat, and no process number that could come to mean another process.
class Mapping {
 public:
  /// A new file of mode 0600, all of it reserved, with a header that says what it holds.
  /// Throws Error where it is not to be had, naming how much and where.
  Mapping(const SegmentShape& shape, const SegmentOptions& options);
  /// The file behind a descriptor that another process sent. Throws Error if it is not a segment.
  explicit Mapping(Descriptor file);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  [[nodiscard]] Layout layout() const { return Layout(base_); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] int descriptor() const { return file_.number(); }

  /// Maps all pages of a segment that is not very large, so that no fault falls between messages: a child does not
  /// inherit them from the process that forked it.
  void populate() const;

  /// For this process: lasts until it is unlocked, the mapping is gone or the process is dead. False where another
  /// process holds it.
  [[nodiscard]] bool lock(std::int32_t rank) const;
  void unlock(std::int32_t rank) const;
  /// Whether another process holds the lock (about a microsecond).
  [[nodiscard]] bool locked_elsewhere(std::int32_t rank) const;

 private:
  void map();

  Descriptor file_;
  std::uint64_t bytes_ = 0;
  std::byte* base_ = nullptr;
};

}  // namespace postage::shm
