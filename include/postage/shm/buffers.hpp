#pragma once

#include <postage/base/units.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace postage {

/// `count` blocks of `block` bytes each, whose beginnings are `stride` bytes apart: a column of a matrix, a face of a
/// grid. Blocks must not overlap: stride >= block, unless count is 1.
template <typename Byte>
struct StridedSpan {
  Byte* data = nullptr;
  Bytes block = 0;
  Bytes stride = 0;
  Bytes count = 1;

  StridedSpan() = default;
  StridedSpan(Byte* first, Bytes block_bytes, Bytes stride_bytes, Bytes blocks)
      : data(first), block(block_bytes), stride(stride_bytes), count(blocks) {}
  /// A contiguous message (whatever converts to a span) is one block.
  template <typename Contiguous>
  requires(!std::same_as<std::remove_cvref_t<Contiguous>, StridedSpan> &&
           std::convertible_to<Contiguous, std::span<Byte>>)
      StridedSpan(Contiguous&& contiguous) {  // NOLINT(bugprone-forwarding-reference-overload): constrained above
    const std::span<Byte> bytes(contiguous);
    data = bytes.data();
    block = stride = static_cast<Bytes>(bytes.size());
  }

  /// Bytes of the message, gaps not counted.
  [[nodiscard]] Bytes bytes() const { return block * count; }
};

using StridedBytes = StridedSpan<std::byte>;
using ConstStridedBytes = StridedSpan<const std::byte>;

}  // namespace postage
