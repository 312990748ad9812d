#include "preload/operation.hpp"

#include "preload/kernels.hpp"

#include <cstring>

namespace postage::preload {
namespace {

bool is_built_in(MPI_Op op) {
  for (const MPI_Op known : {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR,
                             MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP}) {
    if (op == known) {
      return true;
    }
  }
  return false;
}

bool takes(MPI_Op op, TypeClass type) {
  const bool integer = type == TypeClass::kInteger;
  if (op == MPI_SUM || op == MPI_PROD) {
    return integer || type == TypeClass::kFloating || type == TypeClass::kComplex;
  }
  if (op == MPI_MAX || op == MPI_MIN) {
    return integer || type == TypeClass::kFloating;
  }
  if (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR) {
    return integer || type == TypeClass::kLogical;
  }
  if (op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR) {
    return integer || type == TypeClass::kByte;
  }
  return (op == MPI_MAXLOC || op == MPI_MINLOC) && type == TypeClass::kPair;
}

}  // namespace

bool Operation::is_valid(MPI_Op op, const Datatype& type) {
  return op != MPI_OP_NULL && (is_built_in(op) ? takes(op, type.type_class) : true);
}

Operation::Operation(MPI_Op op, const Datatype& type) : op_(op), type_(type.handle), extent_(type.extent) {
  reduction_ = {.element_bytes = type.extent, .combine = kernel_of(op, type), .context = this};
  if (reduction_.combine == nullptr) {
    reduction_.combine = combine_by_library;
  }
  reduction_.commutative = commutes(op);
}

bool Operation::commutes(MPI_Op op) {
  int commutes = 1;
  if (!is_built_in(op)) {
    PMPI_Op_commutative(op, &commutes);
  }
  return commutes != 0;
}

void Operation::combine_by_library(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                                   Bytes bytes) {
  const auto& self = *static_cast<const Operation*>(context);
  if (out != right) {
    std::memcpy(out, right, static_cast<std::size_t>(bytes));
  }
  PMPI_Reduce_local(left, out, static_cast<int>(bytes / self.extent_), self.type_, self.op_);
}

}  // namespace postage::preload
