#pragma once

#include "element.hpp"

#include <mpi.h>

#include <string>
#include <vector>

namespace postage {

struct TestType {
  std::string name;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  ElementKind kind{};
  /// Where all that an element holds is of one basic type: which, and how many. The same data may then be received as,
  /// or sent from, an array of it.
  MPI_Datatype basic = MPI_DATATYPE_NULL;
  int basics = 0;
};

struct TestOperation {
  std::string name;
  MPI_Op op = MPI_OP_NULL;
  /// Results depend on the order in which operands are combined, by rounding.
  bool rounds = false;
};

/// A reduction of elements of one type.
struct TestReduction {
  TestType type;
  TestOperation operation;
};

/// Basic types, pairs, vectors, structures, resized with gaps and with lower bounds that are not 0, nested, and one
/// without any data.
[[nodiscard]] std::vector<TestType> moved_types();

/// Every built-in operation on every kind of basic type it is defined for; and user's operations, commutative and not,
/// on basic and derived types.
[[nodiscard]] std::vector<TestReduction> reductions();

/// How often a user's operation was called with another datatype than that of the call.
[[nodiscard]] int foreign_datatypes();

/// Where a user's operation is told which datatype its call has.
void expect_datatype(MPI_Datatype type);

}  // namespace postage
