#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace postage {

/// What an element holds, and so which operations it knows.
enum class Kind { kOpaque, kInteger, kFloating, kComplex, kLogical, kByte, kPair, kFunction };

struct TypeUnderTest {
  std::string name;
  MPI_Datatype type = MPI_BYTE;
  Kind kind = Kind::kOpaque;
};

struct OperationUnderTest {
  std::string name;
  MPI_Op op = MPI_OP_NULL;
  std::vector<Kind> kinds;
  bool commutative = true;

  [[nodiscard]] bool takes(Kind kind) const;
};

/// All basic datatypes of C, one of two numbers and the same with a gap between them, and operations. Elements of the
/// last two are functions x -> a*x + b, whose composition does not commute. Made and freed with MPI running.
class TypedData {
 public:
  TypedData();
  ~TypedData();
  TypedData(const TypedData&) = delete;
  TypedData& operator=(const TypedData&) = delete;

  [[nodiscard]] const std::vector<TypeUnderTest>& types() const { return types_; }
  [[nodiscard]] const TypeUnderTest& type(const std::string& name) const;
  [[nodiscard]] const std::vector<OperationUnderTest>& operations() const { return operations_; }
  [[nodiscard]] const OperationUnderTest& operation(const std::string& name) const;

 private:
  std::vector<TypeUnderTest> types_;
  std::vector<OperationUnderTest> operations_;
};

[[nodiscard]] std::size_t extent_of(MPI_Datatype type);
[[nodiscard]] std::size_t size_of(MPI_Datatype type);

/// Writes element i of what a rank contributes: small numbers, so that sums and products are exact in any order.
void write_element(const TypeUnderTest& type, int rank, int i, std::byte* at);

/// The elements without what lies in gaps.
[[nodiscard]] std::vector<std::byte> packed(const std::byte* elements, int count, MPI_Datatype type);

}  // namespace postage
