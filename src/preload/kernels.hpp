#pragma once

#include "preload/datatype.hpp"

#include <cstddef>

namespace postage::preload {

/// out = left op right for the most used operations on the most used types, without the copy that MPI_Reduce_local's
/// two operands need; nullptr for others.
using Kernel = void (*)(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                        Bytes bytes);
[[nodiscard]] Kernel kernel_of(MPI_Op op, const Datatype& type);

}  // namespace postage::preload
