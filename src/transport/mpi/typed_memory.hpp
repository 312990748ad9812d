#pragma once

#include <postage/base/units.hpp>
#include <postage/schedule/patterns/numbering.hpp>

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace postage {

/// A datatype, with what is asked of it more than once.
class MpiType {
 public:
  MpiType() = default;
  explicit MpiType(MPI_Datatype type);

  [[nodiscard]] MPI_Datatype handle() const { return type_; }
  /// Bytes of one element, without gaps.
  [[nodiscard]] Bytes size() const { return size_; }
  /// Bytes from one element to the next.
  [[nodiscard]] Bytes extent() const { return extent_; }
  /// True where elements have neither gaps nor an order of their own: their bytes in memory are their packed bytes.
  [[nodiscard]] bool is_dense() const { return is_dense_; }

  /// `elements` elements from `from`, without their gaps, to `to`.
  void pack(const void* from, Index elements, std::byte* to) const;
  void unpack(const std::byte* from, Index elements, void* to) const;

 private:
  MPI_Datatype type_ = MPI_BYTE;
  Bytes size_ = 1;
  Bytes extent_ = 1;
  bool is_dense_ = true;
};

/// `count` elements that begin `first` elements after a buffer's address.
struct ElementRun {
  Index first = 0;
  Index count = 0;
};

/// Elements of a datatype in a user's buffer: one run, or one for each rank.
struct TypedShape {
  MpiType type{};
  std::vector<ElementRun> runs{};

  [[nodiscard]] static TypedShape of(const MpiType& type, Index elements) { return {type, {{0, elements}}}; }
  /// Runs that follow one another are joined.
  [[nodiscard]] static TypedShape of(const MpiType& type, std::span<const int> counts, const int* displacements);

  [[nodiscard]] Bytes bytes() const;
  /// Where the packed bytes begin, in bytes from the buffer's address, if they lie there as they are.
  [[nodiscard]] std::optional<Bytes> dense_offset() const;
};

/// What a rank gives, as packed bytes: the user's own memory where it can be read as it is, otherwise a copy.
class GivenBytes {
 public:
  GivenBytes(const void* address, const TypedShape& shape);
  [[nodiscard]] std::span<const std::byte> get() const { return bytes_; }

 private:
  std::vector<std::byte> copy_;
  std::span<const std::byte> bytes_;
};

/// Room for what a rank gets: the user's own memory where that can be written as it is, otherwise a buffer that
/// `deliver` unpacks.
class WantedBytes {
 public:
  /// `given` is what already lies at `address`, for ranks that work in place; `wanted` is what will. The room is for
  /// the larger of both, which begin at the same place. `wanted` must outlive this object.
  WantedBytes(void* address, const TypedShape& given, const TypedShape& wanted);
  [[nodiscard]] std::span<std::byte> get() const { return bytes_; }
  void deliver() const;

 private:
  void* address_;
  const TypedShape& wanted_;
  std::vector<std::byte> room_;
  std::span<std::byte> bytes_;
};

}  // namespace postage
