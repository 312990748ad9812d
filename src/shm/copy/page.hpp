#pragma once

#include <cstdint>

namespace postage::shm {

/// Bytes of a page; no machine has smaller ones.
inline constexpr std::uint64_t kPageBytes = 4096;

}  // namespace postage::shm
