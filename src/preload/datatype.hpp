#pragma once

#include "preload/recent.hpp"

#include <postage/base/units.hpp>

#include <mpi.h>

#include <cstdint>

namespace postage::preload {

/// Which of the built-in operations a basic type takes (MPI 4.1, section 6.9.2).
enum class TypeClass : std::uint8_t { kOther, kInteger, kFloating, kLogical, kComplex, kByte, kPair };

/// What is known of a datatype.
struct Datatype {
  MPI_Datatype handle = MPI_DATATYPE_NULL;
  Bytes size = 0;
  Bytes extent = 0;
  Bytes first_byte = 0;  ///< of an element, from its address; its true lower bound
  Bytes end_byte = 0;    ///< behind its last byte, gaps included
  bool is_named = false;
  bool is_contiguous = false;  ///< elements in memory are the message, in its order
  TypeClass type_class = TypeClass::kOther;
};

/// A few nanoseconds for named types. `type` is not MPI_DATATYPE_NULL.
[[nodiscard]] Datatype describe(MPI_Datatype type);

/// Whether a message can be made of it: it is there, and committed.
[[nodiscard]] bool is_usable(MPI_Datatype type);

[[nodiscard]] Bytes find_size(MPI_Datatype type);

/// 0 for MPI_DATATYPE_NULL. A nanosecond or less where the thread asked for the same named type before.
[[nodiscard]] inline Bytes size_of(MPI_Datatype type) {
  const Recent& last = recent;
  return last.type == type ? last.type_bytes : find_size(type);
}

/// Elements, packed one behind another, and back. `packed` has count * size bytes.
void pack(const void* elements, std::int64_t count, const Datatype& type, std::byte* packed);
void unpack(const std::byte* packed, std::int64_t count, const Datatype& type, void* elements);

}  // namespace postage::preload
