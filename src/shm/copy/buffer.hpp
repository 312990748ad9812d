#pragma once

#include "shm/copy/memory_copy.hpp"
#include "shm/segment/records.hpp"

#include <postage/shm/buffers.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace postage::shm {

/// A message's bytes in this process, in order: blocks of `block` bytes, `stride` apart.
struct Buffer {
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t block = 0;
  std::uint64_t stride = 0;

  /// Throws UsageError for blocks that overlap or have a negative size.
  template <typename Byte>
  static void check(const StridedSpan<Byte>& message) {
    if (message.block < 0 || message.count < 0 || (message.count > 1 && message.stride < message.block)) {
      refuse({message.data, message.block, message.stride, message.count});
    }
  }

  /// Of a message that was checked. What a send hands over is never written to.
  template <typename Byte>
  [[nodiscard]] static Buffer of(const StridedSpan<Byte>& message) {
    const auto bytes = static_cast<std::uint64_t>(message.bytes());
    // Blocks without gaps are one block.
    const bool contiguous = message.count <= 1 || message.stride == message.block || bytes == 0;
    return {.data = const_cast<std::byte*>(message.data),
            .bytes = bytes,
            .block = contiguous ? bytes : static_cast<std::uint64_t>(message.block),
            .stride = contiguous ? bytes : static_cast<std::uint64_t>(message.stride)};
  }

  [[nodiscard]] bool is_contiguous() const { return block == bytes; }
  [[nodiscard]] RemoteBuffer as_remote() const {
    return {reinterpret_cast<std::uintptr_t>(data), bytes, block, stride};
  }

 private:
  [[noreturn]] static void refuse(const ConstStridedBytes& message);
};

/// Calls use(pointer, length) for each contiguous run of bytes [offset, offset + bytes), in order, until it returns
/// false.
template <typename Use>
void for_each_run(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, const Use& use) {
  while (bytes > 0) {
    const std::uint64_t within = offset % buffer.block;
    const std::uint64_t length = std::min(bytes, buffer.block - within);
    if (!use(buffer.data + offset / buffer.block * buffer.stride + within, length)) {
      return;
    }
    offset += length;
    bytes -= length;
  }
}

/// Copies bytes [offset, offset + bytes) of the message to `to`.
inline void copy_out(const Buffer& buffer, std::uint64_t offset, std::byte* to, std::uint64_t bytes) {
  if (bytes == 0) {
    return;  // an empty buffer may have no address
  }
  if (buffer.is_contiguous()) {
    copy_bytes(to, buffer.data + offset, bytes);
    return;
  }
  for_each_run(buffer, offset, bytes, [&](const std::byte* run, std::uint64_t length) {
    std::memcpy(to, run, length);
    to += length;
    return true;
  });
}

/// The same with non-temporal stores, where the message is in one piece.
inline void copy_out_non_temporal(const Buffer& buffer, std::uint64_t offset, std::byte* to, std::uint64_t bytes) {
  if (buffer.is_contiguous()) {
    copy_non_temporal(to, buffer.data + offset, bytes);
  } else {
    copy_out(buffer, offset, to, bytes);
  }
}

/// Copies `bytes` bytes at `from` into the message at `offset`.
inline void copy_in(const Buffer& buffer, std::uint64_t offset, const std::byte* from, std::uint64_t bytes) {
  if (bytes == 0) {
    return;
  }
  if (buffer.is_contiguous()) {
    copy_bytes(buffer.data + offset, from, bytes);
    return;
  }
  for_each_run(buffer, offset, bytes, [&](std::byte* run, std::uint64_t length) {
    std::memcpy(run, from, length);
    from += length;
    return true;
  });
}

}  // namespace postage::shm
