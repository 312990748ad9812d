#pragma once

#include <postage/program/program.hpp>

#include <map>
#include <vector>

namespace postage {

/// Gives places in scratch memory to what a program needs for some of its steps, and takes them back. It only orders
/// what the program does itself; that a send under way still reads a place is for decide_overlap to see.
class ScratchPool {
 public:
  /// Every place begins at a multiple of this.
  static constexpr Bytes kAlignment = 64;
  [[nodiscard]] static Bytes aligned(Bytes bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

  /// First fit. O(free places).
  [[nodiscard]] Region allocate(Bytes bytes);

  /// The program no longer needs the place.
  void release(const Region& region);

  /// The same, but a send may still be under way from there. To use it again soon would mean to wait for that send, so
  /// it stays apart until more lies there than is in use: then one wait makes room for many messages.
  void retire(const Region& region);

  /// The most that was in use at a time, with gaps.
  [[nodiscard]] Bytes bytes() const { return end_; }

 private:
  void insert_free(Bytes offset, Bytes bytes);
  void recycle_for(Bytes bytes);

  std::map<Bytes, Bytes> free_;  ///< bytes by offset; no two touch
  std::vector<Region> retired_;
  Bytes retired_bytes_ = 0;
  Bytes live_bytes_ = 0;
  Bytes end_ = 0;
};

}  // namespace postage
