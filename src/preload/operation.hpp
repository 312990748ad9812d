#pragma once

#include "preload/datatype.hpp"

#include <postage/shm/direct_group.hpp>

#include <mpi.h>

#include <optional>

namespace postage::preload {

/// An MPI operation on a datatype: elements stand `type.extent` apart. Stays where it is made.
class Operation {
 public:
  /// Nothing where the combination is not known to be valid: the library's own error is what the program should see.
  [[nodiscard]] static bool is_valid(MPI_Op op, const Datatype& type);

  /// Not to be asked of MPI_OP_NULL.
  [[nodiscard]] static bool commutes(MPI_Op op);

  Operation(MPI_Op op, const Datatype& type);
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  [[nodiscard]] const ReduceOperation& reduction() const { return reduction_; }

 private:
  static void combine_by_library(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                                 Bytes bytes);

  MPI_Op op_;
  MPI_Datatype type_;
  Bytes extent_;
  ReduceOperation reduction_;
};

}  // namespace postage::preload
