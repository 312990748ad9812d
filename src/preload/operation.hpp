#pragma once

#include "preload/datatype.hpp"

#include <postage/shm/direct_group.hpp>

#include <mpi.h>

#include <optional>

namespace postage::preload {

/// An MPI operation on elements of a datatype as the ranks give them to one another. Stays where it is made.
///
/// Of built-in operations all ranks have the same datatype: elements are memory, `type.extent` apart. A program's own
/// may have other datatypes on other ranks, if only signatures agree: elements are messages.
class Operation {
 public:
  /// Nothing where the combination is not known to be valid: the library's own error is what the program should see.
  [[nodiscard]] static bool is_valid(MPI_Op op, const Datatype& type);

  /// Not to be asked of MPI_OP_NULL.
  [[nodiscard]] static bool commutes(MPI_Op op);

  /// Whether elements that are not contiguous are copied as memory rather than packed.
  [[nodiscard]] static bool takes_memory(MPI_Op op);
  [[nodiscard]] static Bytes element_bytes(MPI_Op op, const Datatype& type);

  Operation(MPI_Op op, const Datatype& type);
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  [[nodiscard]] const ReduceOperation& reduction() const { return reduction_; }

 private:
  static void combine_memory(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                             Bytes bytes);
  static void combine_messages(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                               Bytes bytes);

  MPI_Op op_;
  Datatype type_;
  ReduceOperation reduction_;
};

}  // namespace postage::preload
