#pragma once

#include "program/iovec.hpp"

namespace postage {

/// Makes the used range of the staging area the start of the scratch memory, in front of the `pool_bytes` that were
/// allocated there. Both start at a multiple of `alignment`.
void move_staging_to_scratch(Program& program, ByteRange staging, Bytes pool_bytes, Bytes alignment);

}  // namespace postage
