#pragma once

#include "preload/call.hpp"
#include "preload/datatype.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace postage::preload {

/// Memory of a thread for data on their way; kept between calls.
[[nodiscard]] std::byte* thread_room(int which, Bytes bytes);

/// What a rank sends, as bytes one behind another: the program's own memory where it is that already.
[[nodiscard]] const std::byte* packed(const void* elements, std::int64_t count, const Datatype& type, int room);

/// Blocks that a rank receives, each `count` elements and `count` extents behind the last.
class ReceivedBlocks {
 public:
  ReceivedBlocks(void* elements, std::int64_t count, const Datatype& type, std::int64_t blocks);
  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] Bytes block_bytes() const { return count_ * type_.size; }
  /// Puts what the program has in a block there, for data in place.
  const std::byte* load(std::int64_t block);
  /// Gives the program what has arrived.
  void store();

 private:
  void* elements_;
  std::int64_t count_;
  const Datatype& type_;
  std::int64_t blocks_;
  std::byte* data_;
};

/// Blocks of different lengths in a program's memory, as bytes.
class IrregularBlocks {
 public:
  IrregularBlocks(const void* elements, const Integers& counts, const Integers& displacements, const Datatype& type,
                  std::int32_t ranks, int room);
  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::span<const Bytes> counts() const { return counts_; }
  [[nodiscard]] std::span<const Bytes> offsets() const { return offsets_; }
  [[nodiscard]] std::byte* block(std::int32_t rank) const { return data_ + offsets_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] Bytes bytes(std::int32_t rank) const { return counts_[static_cast<std::size_t>(rank)]; }
  void load(std::int32_t rank);
  void load_all();
  void store(std::int32_t except = -1);

 private:
  [[nodiscard]] std::byte* elements_of(std::int32_t rank) const;

  std::byte* elements_;
  const Integers& element_counts_;
  const Integers& displacements_;
  const Datatype& type_;
  std::vector<Bytes>& counts_;
  std::vector<Bytes>& offsets_;
  std::byte* data_;
};

}  // namespace postage::preload
