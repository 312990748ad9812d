#include "types.hpp"

#include <array>
#include <cstdint>

namespace postage {
namespace {

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type, lower_bound, extent, &result);
  return committed(result);
}

MPI_Datatype contiguous(int count, MPI_Datatype of) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(count, of, &type);
  return committed(type);
}

MPI_Datatype vector(int blocks, int length, int stride, MPI_Datatype of) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(blocks, length, stride, of, &type);
  return committed(type);
}

/// Two blocks in reverse order of addresses.
MPI_Datatype reversed_blocks() {
  const std::array lengths{2, 1, 3};
  const std::array displacements{7, 4, 0};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_indexed(3, lengths.data(), displacements.data(), MPI_SHORT, &type);
  return committed(type);
}

/// An int, a gap, a double and a char, whose extent ends in a gap.
MPI_Datatype structure() {
  const std::array lengths{1, 1, 1};
  const std::array<MPI_Aint, 3> displacements{0, 8, 16};
  const std::array types{MPI_INT, MPI_DOUBLE, MPI_CHAR};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(3, lengths.data(), displacements.data(), types.data(), &type);
  return resized(type, 0, 24);
}

MPI_Datatype subarray() {
  const std::array sizes{4, 5};
  const std::array parts{2, 3};
  const std::array starts{1, 1};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(2, sizes.data(), parts.data(), starts.data(), MPI_ORDER_C, MPI_FLOAT, &type);
  return committed(type);
}

/// Data in front of the address.
MPI_Datatype before_the_address() {
  const int length = 2;
  const MPI_Aint displacement = -12;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(1, &length, &displacement, MPI_INT, &type);
  return resized(type, -16, 20);
}

}  // namespace

std::vector<TestType> moved_types() {
  return {{"byte", MPI_BYTE, {}, MPI_BYTE, 1},
          {"int", MPI_INT, {}, MPI_INT, 1},
          {"double", MPI_DOUBLE, {}, MPI_DOUBLE, 1},
          {"double-int pair", MPI_DOUBLE_INT, located_kind<double>()},
          {"short-int pair", MPI_SHORT_INT, located_kind<short>()},
          {"7 chars", contiguous(7, MPI_CHAR), {}, MPI_CHAR, 7},
          {"vector", vector(3, 2, 4, MPI_INT), {}, MPI_INT, 6},
          {"vector of vectors", vector(2, 1, 2, vector(2, 3, 5, MPI_SHORT)), {}, MPI_SHORT, 12},
          {"indexed, reversed", reversed_blocks(), {}, MPI_SHORT, 6},
          {"struct", structure()},
          {"subarray", subarray(), {}, MPI_FLOAT, 6},
          {"resized with a gap", resized(MPI_INT, 0, 12), {}, MPI_INT, 1},
          {"data before the address", before_the_address(), {}, MPI_INT, 2},
          {"without data", contiguous(0, MPI_INT)}};
}

}  // namespace postage
