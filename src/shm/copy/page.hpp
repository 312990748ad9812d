#pragma once

#include <cstdint>

namespace postage::shm {

/// Bytes of a page; no machine has smaller ones.
inline constexpr std::uint64_t kPageBytes = 4096;

/// So many bytes, or more that fill their last page.
[[nodiscard]] constexpr std::uint64_t whole_pages(std::uint64_t bytes) {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

}  // namespace postage::shm
