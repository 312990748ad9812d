#pragma once

#include <postage/program/program.hpp>

#include <map>
#include <vector>

namespace postage {

/// Allocates scratch memory to what a program needs for some of its steps, and takes it back. It only orders what the
/// program does itself; decide_overlap finds out whether a pending send still reads a region.
class ScratchPool {
 public:
  static constexpr Bytes kAlignment = 64;
  [[nodiscard]] static Bytes aligned(Bytes bytes, Bytes alignment = kAlignment) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  /// Every region starts at a multiple of `alignment`.
  explicit ScratchPool(Bytes alignment = kAlignment) : alignment_(alignment) {}

  /// First fit. O(free regions).
  [[nodiscard]] Region allocate(Bytes bytes);

  /// The program no longer needs the region.
  void release(const Region& region);

  /// The same, but a pending send may still read it. To use it again soon would mean to wait for that send, so it is
  /// kept until more is retired than is in use: then one wait makes room for many messages.
  void retire(const Region& region);

  /// The most that was in use at a time, with gaps.
  [[nodiscard]] Bytes bytes() const { return end_; }

 private:
  [[nodiscard]] Bytes room_of(Bytes bytes) const { return aligned(bytes, alignment_); }
  void insert_free(Bytes offset, Bytes bytes);
  void recycle_for(Bytes bytes);

  Bytes alignment_;
  std::map<Bytes, Bytes> free_;  ///< bytes by offset; no two touch
  std::vector<Region> retired_;
  Bytes retired_bytes_ = 0;
  Bytes live_bytes_ = 0;
  Bytes end_ = 0;
};

/// Where regions of scratch memory may start: pieces of strided memory stay whole.
[[nodiscard]] inline Bytes scratch_alignment(const Strides& strides) {
  return strides.is_contiguous() ? ScratchPool::kAlignment : strides.run;
}

}  // namespace postage
