#pragma once

#include <postage/base/units.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace postage {

/// The memory of a message that is not contiguous: `runs` runs of `run_bytes` bytes, whose starts are
/// `stride` bytes apart; stride >= run_bytes > 0.
struct StridedLayout {
  std::int64_t runs = 0;
  Bytes run_bytes = 1;
  Bytes stride = 1;

  /// What the message holds.
  [[nodiscard]] Bytes bytes() const { return runs * run_bytes; }
  /// From its first byte in memory to behind its last.
  [[nodiscard]] Bytes extent() const { return runs == 0 ? 0 : (runs - 1) * stride + run_bytes; }
  bool operator==(const StridedLayout&) const = default;
};

/// Copies the runs one after another into `packed`. `memory` has extent() bytes, `packed` has bytes().
void pack(std::span<const std::byte> memory, const StridedLayout& layout, std::span<std::byte> packed);
/// The inverse; bytes between the runs stay as they are.
void unpack(std::span<const std::byte> packed, const StridedLayout& layout, std::span<std::byte> memory);

/// Copies pieces to others, which may overlap them as whole ranges do in memmove. Both have extent() bytes.
void copy_pieces(std::span<const std::byte> from, std::span<std::byte> to, const StridedLayout& layout);

/// What packing or unpacking counts as in simulated time: an operation for each run and one for each 8 bytes; nothing
/// where the runs touch.
[[nodiscard]] double packing_operations(const StridedLayout& layout);

}  // namespace postage
