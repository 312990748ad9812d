#include "shm/copy/buffer.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

namespace postage::shm {

void Buffer::refuse(const ConstStridedBytes& message) {
  throw UsageError(fmt::format("{} blocks of {} bytes, {} apart, are no message: blocks must not overlap",
                               message.count, message.block, message.stride));
}

}  // namespace postage::shm
