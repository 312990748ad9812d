#include "channel/strided.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

namespace postage::channel {

Buffer Buffer::of(const ConstStridedBytes& message) {
  if (message.block < 0 || message.count < 0 || (message.count > 1 && message.stride < message.block)) {
    throw UsageError(fmt::format("{} blocks of {} bytes, {} apart, are no message: blocks must not overlap",
                                 message.count, message.block, message.stride));
  }
  const auto bytes = static_cast<std::uint64_t>(message.bytes());
  // Blocks without gaps are one block.
  const bool contiguous = message.count <= 1 || message.stride == message.block || bytes == 0;
  return {.data = const_cast<std::byte*>(message.data),  // only receives write, and theirs came as writable
          .bytes = bytes,
          .block = contiguous ? bytes : static_cast<std::uint64_t>(message.block),
          .stride = contiguous ? bytes : static_cast<std::uint64_t>(message.stride)};
}

}  // namespace postage::channel
